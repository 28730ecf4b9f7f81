import type { Issue } from '../src/engine/model.js'
import { builder } from './builder.js'
import { IssueSeverity } from './enums.js'

/** One problem of a definition, with its text. */
export const DefinitionIssue = builder.objectRef<Issue & { message: string }>('DefinitionIssue').implement({
  description: 'One problem of a definition.',
  fields: (t) => ({
    severity: t.expose('severity', { type: IssueSeverity, description: 'How much it matters.' }),
    path: t.exposeString('path', { description: 'Where in the document: $.nodes[2].properties.Cron' }),
    messageKey: t.exposeString('messageKey', { description: 'The key of the message.' }),
    arguments: t.field({
      type: 'JSON',
      description: 'The arguments of the message.',
      resolve: (issue) => issue.arguments,
    }),
    message: t.exposeString('message', { description: 'The message in the caller’s language.' }),
  }),
})
