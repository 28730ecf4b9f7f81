import { Center, Loader, localStorageColorSchemeManager, MantineProvider, Text } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Provider } from 'urql'
import { openConnection } from './api/connection'
import { type AppContext, AppContextProvider } from './api/context'
import { graphql } from './generated'
import { router } from './router'
import { SignIn } from './session/SignIn'
import {
  type Credentials,
  choosePerson,
  chosenPerson,
  fetchSession,
  loadSignIn,
  personCredentials,
  type SessionInfo,
  tokenCredentials,
} from './session/session'
import { theme } from './theme'

const colorScheme = localStorageColorSchemeManager({ key: 'countersign.scheme' })

const viewerQuery = graphql(`
  query SignedIn {
    viewer {
      groups
      permissions
      user {
        id
        name
      }
    }
  }
`)

/** The approval centre: signs in, then shows the pages. */
export function App() {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" colorSchemeManager={colorScheme}>
      <Notifications position="bottom-right" limit={4} />
      <Entrance />
    </MantineProvider>
  )
}

type Stage =
  | { at: 'loading' }
  | { at: 'choosing'; session: SessionInfo }
  | { at: 'failed' }
  | { at: 'inside'; app: AppContext }

function Entrance() {
  const { t } = useTranslation('session')
  const [stage, setStage] = useState<Stage>({ at: 'loading' })
  useEffect(() => {
    let gone = false
    arrive().then(
      (next) => gone || setStage(next),
      () => gone || setStage({ at: 'failed' }),
    )
    return () => {
      gone = true
    }
  }, [])
  switch (stage.at) {
    case 'loading':
      return (
        <Center mih="100dvh">
          <Loader aria-label={t('loading')} />
        </Center>
      )
    case 'failed':
      return (
        <Center mih="100dvh" p="md" component="main">
          <Text role="alert">{t('failed')}</Text>
        </Center>
      )
    case 'choosing':
      return (
        <SignIn
          people={stage.session.people}
          onChoose={(person) => {
            choosePerson(person)
            enter(personCredentials(person), true).then(setStage, () => setStage({ at: 'failed' }))
          }}
        />
      )
    case 'inside':
      return (
        <AppContextProvider value={stage.app}>
          <Provider value={stage.app.connection.client}>
            <RouterProvider router={router} />
          </Provider>
        </AppContextProvider>
      )
  }
}

async function arrive(): Promise<Stage> {
  const session = await fetchSession()
  if (session.authMode === 'jwt') {
    if (session.signInScript === null) return { at: 'failed' }
    return enter(tokenCredentials(await loadSignIn(session.signInScript)), false)
  }
  const person = chosenPerson()
  return person ? enter(personCredentials(person), true) : { at: 'choosing', session }
}

async function enter(credentials: Credentials, canLeave: boolean): Promise<Stage> {
  const connection = openConnection(credentials)
  const { data } = await connection.client.query(viewerQuery, {})
  if (!data) return { at: 'failed' }
  const { user, groups, permissions } = data.viewer
  const signOut = () => {
    choosePerson(null)
    connection.close()
    location.assign('/')
  }
  return {
    at: 'inside',
    app: { connection, viewer: { ...user, groups, permissions }, signOut: canLeave ? signOut : null },
  }
}
