import type { Refusal } from '../src/engine/model.js'
import { renderMessage } from '../src/messages/render.js'
import { builder } from './builder.js'
import { renderIssue } from './errors.js'
import { DefinitionIssue } from './issue.js'

/** Why one item of a batch was refused. */
export const WorkflowError = builder.objectRef<Refusal>('WorkflowError').implement({
  description: 'Why one item of a batch was refused.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'The error code.' }),
    messageKey: t.exposeString('messageKey', { nullable: true, description: 'The key of the message.' }),
    message: t.string({
      description: 'The message in the caller’s language.',
      resolve: (refused, _args, { locale }) => renderMessage(locale, refused.messageKey, refused.arguments),
    }),
    arguments: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The arguments of the message.',
      resolve: (refused) => refused.arguments,
    }),
    violations: t.field({
      type: [DefinitionIssue],
      nullable: true,
      description: 'The problems of a definition that could not be published.',
      resolve: ({ violations }, _args, { locale }) => violations?.map((issue) => renderIssue(locale, issue)) ?? null,
    }),
  }),
})
