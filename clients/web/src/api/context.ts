import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Connection, ConnectionState } from './connection'

/** Who is signed in. */
export interface Viewer {
  id: string
  name: string
  groups: string[]
  permissions: string[]
}

export interface AppContext {
  connection: Connection
  viewer: Viewer
  /** Null where the identity provider decides who one is. */
  signOut: (() => void) | null
}

const Context = createContext<AppContext | null>(null)
export const AppContextProvider = Context.Provider

/** What every page needs: the connection and the person. */
export function useApp(): AppContext {
  const context = useContext(Context)
  if (!context) throw new Error('used outside the application')
  return context
}

/** Whether events arrive at the moment. */
export function useConnectionState(): ConnectionState {
  const { connection } = useApp()
  return useSyncExternalStore(connection.onState, connection.state)
}
