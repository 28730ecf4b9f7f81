import type { DelegateAnswer as Answer } from '../src/engine/tasks/delegate.js'
import type { WhyAssigned as Why } from '../src/engine/tasks/why.js'
import { builder } from './builder.js'
import { User } from './user.js'

export type { Answer, Why }

const AssignmentSource = builder.enumType('AssignmentSource', {
  description: 'Where an assignee comes from.',
  values: {
    ASSIGNEES: { description: 'The node names him.' },
    EXPRESSION: { description: 'The node’s expression gave him.' },
    RULE: { description: 'A rule of the node found him.' },
    FALLBACK: { description: 'A rule for nobody found him.' },
    ADDED: { description: 'Somebody added him.' },
    TRANSFERRED: { description: 'Somebody gave him the task.' },
    DELEGATED: { description: 'The owner wants his answer first.' },
    HANDED_OVER: { description: 'An operator gave him the tasks of somebody else.' },
  } as const,
})

/** Why a task is whose it is. */
export const WhyAssigned = builder.objectRef<Why>('WhyAssigned').implement({
  description: 'Why somebody is asked.',
  fields: (t) => ({
    source: t.expose('source', { type: AssignmentSource, description: 'Where he comes from.' }),
    rule: t.exposeString('rule', { nullable: true, description: 'The type of the rule that found him.' }),
    by: t.field({
      type: User,
      nullable: true,
      description: 'Who added him or gave it to him.',
      resolve: ({ byId }) => byId,
    }),
    insteadOf: t.field({
      type: User,
      nullable: true,
      description: 'The absent person whom he stands in for.',
      resolve: ({ insteadOfId }) => insteadOfId,
    }),
  }),
})

/** What a delegate said. */
export const DelegateAnswer = builder.objectRef<Answer>('DelegateAnswer').implement({
  description: 'What a delegate said to a task, before its owner answers it.',
  fields: (t) => ({
    by: t.field({ type: User, description: 'The delegate.', resolve: ({ byId }) => byId }),
    outcome: t.exposeString('outcome', { description: 'What he would answer.' }),
    comment: t.exposeString('comment', { nullable: true, description: 'What he said to it.' }),
    at: t.field({ type: 'DateTime', description: 'When he did.', resolve: ({ at }) => new Date(at) }),
  }),
})
