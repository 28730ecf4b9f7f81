import type { OneInstanceQuery } from '../generated/graphql'

export type Instance = NonNullable<OneInstanceQuery['instance']>
/** One run of a node. */
export type Run = Instance['trail']['nodes'][number]
