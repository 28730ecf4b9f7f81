import { Anchor, Card, Code, Group, Stack, Table, Tabs, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { History } from '../task/History'
import { Moment } from './Moment'
import { OpenTasks } from './OpenTasks'
import { StatusBadge } from './StatusBadge'
import type { Instance, Run } from './types'

interface InstanceTabsProps {
  instance: Instance
  onNode: (nodeId: string) => void
  onDone: () => void
}

/** Everything that is known about an instance beside its picture. */
export function InstanceTabs({ instance, onNode, onDone }: InstanceTabsProps) {
  const { t } = useTranslation('instance')
  const children = instance.children.nodes
  return (
    <Tabs defaultValue="open" mt="lg" keepMounted={false} color="indigo">
      <Tabs.List>
        <Tabs.Tab value="open">{t('tabs.open')}</Tabs.Tab>
        <Tabs.Tab value="history">{t('tabs.history')}</Tabs.Tab>
        <Tabs.Tab value="trail">{t('tabs.trail')}</Tabs.Tab>
        <Tabs.Tab value="variables">{t('tabs.variables')}</Tabs.Tab>
        {children.length > 0 && <Tabs.Tab value="children">{t('tabs.children', { count: children.length })}</Tabs.Tab>}
      </Tabs.List>
      <Card withBorder mt="sm">
        <Tabs.Panel value="open">
          <OpenTasks instance={instance} onDone={onDone} />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <History records={instance.history.nodes} />
        </Tabs.Panel>
        <Tabs.Panel value="trail">
          <Trail runs={instance.trail.nodes} onNode={onNode} />
        </Tabs.Panel>
        <Tabs.Panel value="variables">
          <Code block tabIndex={0}>
            {JSON.stringify(instance.variables, null, 2)}
          </Code>
        </Tabs.Panel>
        <Tabs.Panel value="children">
          <Stack gap="xs">
            {children.map((child) => (
              <Group key={child.id} justify="space-between">
                <Anchor component={Link} to={`/instances/${child.id}`}>
                  {child.title}
                </Anchor>
                <Group gap="sm">
                  <Moment at={child.createdAt} />
                  <StatusBadge status={child.status} name={child.statusName} />
                </Group>
              </Group>
            ))}
          </Stack>
        </Tabs.Panel>
      </Card>
    </Tabs>
  )
}

function Trail({ runs, onNode }: { runs: readonly Run[]; onNode: (nodeId: string) => void }) {
  const { t } = useTranslation('instance')
  return (
    <Table.ScrollContainer minWidth={560} type="native">
      <Table fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('node')}</Table.Th>
            <Table.Th>{t('kind')}</Table.Th>
            <Table.Th>{t('status')}</Table.Th>
            <Table.Th>{t('from')}</Table.Th>
            <Table.Th>{t('until')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {runs.map((run) => (
            <Table.Tr key={run.id}>
              <Table.Td>
                <Anchor component="button" type="button" size="sm" onClick={() => onNode(run.nodeId)}>
                  {run.node.title}
                </Anchor>
              </Table.Td>
              <Table.Td>
                {t(`activities.${run.activityType}`, { ns: 'graph', defaultValue: run.activityType })}
              </Table.Td>
              <Table.Td>
                {t(`nodeStatuses.${run.status}`)}
                {run.fault && <Text size="sm">{run.fault.message}</Text>}
              </Table.Td>
              <Table.Td>
                <Moment at={run.startedAt} />
              </Table.Td>
              <Table.Td>{run.endedAt && <Moment at={run.endedAt} />}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
