import {
  Avatar,
  Badge,
  Button,
  Card,
  Center,
  Group,
  Stack,
  Text,
  TextInput,
  Title,
  UnstyledButton,
} from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Preferences } from '../shell/Preferences'
import type { DemoPerson } from './session'

/** Dev mode: one says who one is. */
export function SignIn({ people, onChoose }: { people: DemoPerson[]; onChoose: (person: DemoPerson) => void }) {
  const { t } = useTranslation('session')
  return (
    <Center mih="100dvh" p="md" component="main">
      <Stack w="100%" maw={460}>
        <Group justify="space-between">
          <Title order={1} size="h2">
            Countersign
          </Title>
          <Preferences />
        </Group>
        <Text className="muted">{t('pick')}</Text>
        {people.map((person) => (
          <PersonButton key={person.id} person={person} onChoose={onChoose} />
        ))}
        <OtherPerson onChoose={onChoose} />
      </Stack>
    </Center>
  )
}

function PersonButton({ person, onChoose }: { person: DemoPerson; onChoose: (person: DemoPerson) => void }) {
  return (
    <UnstyledButton onClick={() => onChoose(person)} data-person={person.id}>
      <Card withBorder padding="sm" className="person">
        <Group wrap="nowrap">
          <Avatar name={person.name} color="indigo" aria-hidden />
          <div style={{ flex: 1 }}>
            <Text fw={600}>{person.name}</Text>
            <Text size="sm" className="muted">
              {person.groups.join(' · ')}
            </Text>
          </div>
          {person.permissions.map((permission) => (
            <Badge key={permission} variant="default">
              {permission}
            </Badge>
          ))}
        </Group>
      </Card>
    </UnstyledButton>
  )
}

function OtherPerson({ onChoose }: { onChoose: (person: DemoPerson) => void }) {
  const { t } = useTranslation('session')
  const [id, setId] = useState('')
  const name = id.trim()
  const submit = () => name !== '' && onChoose({ id: name, name, groups: [], permissions: [] })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Group align="end" wrap="nowrap">
        <TextInput flex={1} label={t('other')} value={id} onChange={(event) => setId(event.currentTarget.value)} />
        <Button type="submit" variant="default" disabled={name === ''}>
          {t('enter')}
        </Button>
      </Group>
    </form>
  )
}
