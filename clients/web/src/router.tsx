import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { Shell } from './shell/Shell'

const root = createRootRoute({ component: Shell })
const page = <Path extends string>(path: Path, load: Parameters<typeof lazyRouteComponent>[0]) =>
  createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load) })

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/todo' })
  },
})

const routeTree = root.addChildren([
  home,
  page('/todo', () => import('./inbox/TodoPage')),
  page('/done', () => import('./inbox/DonePage')),
  page('/started', () => import('./inbox/StartedPage')),
  page('/copies', () => import('./inbox/CopiesPage')),
  page('/tasks/$id', () => import('./task/TaskPage')),
  page('/start', () => import('./start/ChoosePage')),
  page('/start/$name', () => import('./start/StartPage')),
  page('/instances/$id', () => import('./instance/InstancePage')),
  page('/operate', () => import('./operate/OperatePage')),
  page('/definitions', () => import('./definitions/DefinitionsPage')),
  page('/definitions/$name', () => import('./definitions/DefinitionPage')),
])

/** The pages and their addresses; each page is loaded when it is first shown. */
export const router = createRouter({ routeTree, defaultPreload: 'intent' })

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
