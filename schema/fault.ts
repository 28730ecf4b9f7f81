import type { Fault as FaultFacts } from '../src/engine/model.js'
import { renderMessage } from '../src/messages/render.js'
import { builder } from './builder.js'

/** Why a node or an instance failed; its text is rendered on reading. */
export const Fault = builder.objectRef<FaultFacts>('Fault')

builder.objectType(Fault, {
  description: 'Why a node or an instance failed.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'The error code.' }),
    messageKey: t.exposeString('messageKey', { nullable: true, description: 'The key of the message.' }),
    arguments: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The arguments of the message.',
      resolve: (fault) => fault.arguments,
    }),
    message: t.string({
      description: 'The message in the caller’s language, causes included.',
      resolve: (fault, _args, { locale }) => messageOf(locale, fault),
    }),
    inner: t.field({
      type: Fault,
      nullable: true,
      description: 'What caused it.',
      resolve: (fault) => fault.inner,
    }),
  }),
})

function messageOf(locale: string, fault: FaultFacts): string {
  const message = renderMessage(locale, fault.messageKey, fault.arguments)
  if (fault.inner === null) return message
  return renderMessage(locale, 'workflow.fault.caused_by', { message, cause: messageOf(locale, fault.inner) })
}

/** The fault in a JSON column, which only the engine writes. */
export function storedFault(column: unknown): FaultFacts | null {
  return (column ?? null) as FaultFacts | null
}
