import {
  AppShell,
  Badge,
  Burger,
  Button,
  Group,
  Menu,
  NavLink,
  Text,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  IconChecklist,
  IconCircleCheck,
  IconCopy,
  IconGauge,
  IconLogout,
  IconPlus,
  IconRoute,
  IconSend,
  IconUserCircle,
} from '@tabler/icons-react'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp, useConnectionState } from '../api/context'
import { type Counts, useCounts } from './counts'
import { Preferences } from './Preferences'

/** What stands around every page: the name, the tabs with their numbers, the person. */
export function Shell() {
  const { t } = useTranslation()
  const [opened, { toggle, close }] = useDisclosure()
  const counts = useCounts()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address closes the menu of narrow screens
  useEffect(close, [path])
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 236, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t('menu')} />
            <img src="/favicon.svg" alt="" width={26} height={26} />
            <Text fw={700} visibleFrom="xs">
              Countersign
            </Text>
            <Connected />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Preferences />
            <Person />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm">
        <Tabs counts={counts} path={path} />
      </AppShell.Navbar>
      <AppShell.Main>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  )
}

function Tabs({ counts, path }: { counts: Counts | null; path: string }) {
  const { t } = useTranslation()
  const { permissions } = useApp().viewer
  const overdue = counts && counts.overdue > 0 ? t('overdueCount', { count: counts.overdue }) : undefined
  return (
    <>
      <Button component={Link} to="/start" leftSection={<IconPlus size={18} />} mb="sm" fullWidth>
        {t('start')}
      </Button>
      <Tab to="/todo" path={path} label={t('todo')} icon={<IconChecklist />} count={counts?.todo} note={overdue} />
      <Tab to="/done" path={path} label={t('done')} icon={<IconCircleCheck />} />
      <Tab to="/started" path={path} label={t('started')} icon={<IconSend />} count={counts?.startedRunning} />
      <Tab to="/copies" path={path} label={t('copies')} icon={<IconCopy />} count={counts?.unreadCopies} />
      {permissions.includes('operate') && <Tab to="/operate" path={path} label={t('operate')} icon={<IconGauge />} />}
      {permissions.includes('design') && (
        <Tab to="/definitions" path={path} label={t('definitions')} icon={<IconRoute />} />
      )}
    </>
  )
}

interface TabProps {
  to: '/todo' | '/done' | '/started' | '/copies' | '/operate' | '/definitions'
  path: string
  label: string
  icon: ReactNode
  count?: number | undefined
  note?: string | undefined
}

function Tab({ to, path, label, icon, count, note }: TabProps) {
  const active = path.startsWith(to)
  return (
    <NavLink
      component={Link}
      to={to}
      className="nav-link"
      active={active}
      aria-current={active ? 'page' : undefined}
      label={label}
      description={note}
      leftSection={icon}
      rightSection={
        count ? (
          <Badge variant="filled" size="md" circle={count < 10}>
            {count}
          </Badge>
        ) : undefined
      }
    />
  )
}

/** Shown only where events do not arrive at the moment. */
function Connected() {
  const { t } = useTranslation()
  const state = useConnectionState()
  return (
    <output data-connection={state}>
      {state === 'broken' ? (
        <Badge color="orange" variant="light" c="var(--mantine-color-text)">
          {t('reconnecting')}
        </Badge>
      ) : (
        <VisuallyHidden>{t(state)}</VisuallyHidden>
      )}
    </output>
  )
}

function Person() {
  const { t } = useTranslation()
  const { viewer, signOut } = useApp()
  return (
    <Menu position="bottom-end" withArrow>
      <Menu.Target>
        <UnstyledButton aria-label={viewer.name}>
          <Group gap={6} wrap="nowrap">
            <IconUserCircle size={26} stroke={1.5} />
            <Text size="sm" fw={500} visibleFrom="sm">
              {viewer.name}
            </Text>
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label c="var(--mantine-color-text)">{viewer.name}</Menu.Label>
        {signOut && (
          <Menu.Item leftSection={<IconLogout size={16} />} onClick={signOut}>
            {t('signOut')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
