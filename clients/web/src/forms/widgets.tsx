import { Checkbox, NumberInput, Select, Textarea, TextInput } from '@mantine/core'
import type { RegistryWidgetsType, WidgetProps } from '@rjsf/utils'
import { useRuleMessage } from './templates'

function useCommon({ id, label, required, disabled, readonly, schema, rawErrors = [] }: WidgetProps) {
  const messageOf = useRuleMessage()
  const rule = rawErrors[0]
  return {
    id,
    label,
    required: required ?? false,
    disabled: disabled ?? false,
    readOnly: readonly ?? false,
    variant: readonly ? 'filled' : 'default',
    description: schema.description,
    error: rule === undefined ? undefined : messageOf(rule),
  }
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? '' : String(value)
}

function TextWidget(props: WidgetProps) {
  const common = useCommon(props)
  const { value, onChange, schema } = props
  const type = schema.type
  if (type === 'number' || type === 'integer')
    return (
      <NumberInput
        {...common}
        value={typeof value === 'number' ? value : ''}
        allowDecimal={type === 'number'}
        onChange={(next) => onChange(typeof next === 'number' ? next : undefined)}
      />
    )
  const change = (text: string) => onChange(text === '' ? undefined : text)
  if ((schema.maxLength ?? 0) > 200)
    return (
      <Textarea
        {...common}
        autosize
        minRows={2}
        value={textOf(value)}
        onChange={(event) => change(event.currentTarget.value)}
      />
    )
  const kind = schema.format === 'date' ? 'date' : schema.format === 'email' ? 'email' : 'text'
  return (
    <TextInput {...common} type={kind} value={textOf(value)} onChange={(event) => change(event.currentTarget.value)} />
  )
}

function SelectWidget(props: WidgetProps) {
  const common = useCommon(props)
  const { value, onChange, options, readonly } = props
  const choices = options.enumOptions ?? []
  const index = choices.findIndex((choice) => choice.value === value)
  return (
    <Select
      {...common}
      // A list that is only shown must not open either.
      dropdownOpened={readonly ? false : undefined}
      data={choices.map((choice, position) => ({ value: String(position), label: choice.label }))}
      value={index < 0 ? null : String(index)}
      onChange={(position) => onChange(position === null ? undefined : choices[Number(position)]?.value)}
    />
  )
}

function CheckboxWidget(props: WidgetProps) {
  const { readOnly, variant: _, required: __, ...common } = useCommon(props)
  const { value, onChange } = props
  return (
    <Checkbox
      {...common}
      disabled={common.disabled || readOnly}
      checked={value === true}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}

export const widgets: RegistryWidgetsType = {
  TextWidget,
  TextareaWidget: TextWidget,
  UpDownWidget: TextWidget,
  EmailWidget: TextWidget,
  DateWidget: TextWidget,
  SelectWidget,
  RadioWidget: SelectWidget,
  CheckboxWidget,
}
