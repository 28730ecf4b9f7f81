import { Stack, Text } from '@mantine/core'
import type { FieldTemplateProps, ObjectFieldTemplateProps, TemplatesType } from '@rjsf/utils'
import { useTranslation } from 'react-i18next'

/** The widgets bring label, description and errors themselves; a field adds the space and what nested ones lack. */
function FieldTemplate({ children, hidden }: FieldTemplateProps) {
  return hidden ? <div hidden>{children}</div> : <div>{children}</div>
}

function ObjectFieldTemplate({ title, description, properties, fieldPathId }: ObjectFieldTemplateProps) {
  const nested = fieldPathId.path.length > 0
  return (
    <Stack gap="sm" component="fieldset" m={0} p={nested ? 'sm' : 0} bd={nested ? undefined : 'none'}>
      {nested && title && <Text component="legend">{title}</Text>}
      {description && <Text size="sm">{description}</Text>}
      {properties.map(({ content }) => content)}
    </Stack>
  )
}

/** What a rule wants, in the language of the page. */
export function useRuleMessage(): (keyword: string) => string {
  const { t } = useTranslation('task')
  return (keyword) => t([`rules.${keyword}`, 'rules.other'])
}

export const templates: Partial<TemplatesType> = { FieldTemplate, ObjectFieldTemplate }
