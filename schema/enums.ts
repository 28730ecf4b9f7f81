import { builder } from './builder.js'

export const SortDirection = builder.enumType('SortDirection', {
  description:
    'Which end of the order comes first. Null stands as the greatest value: last ascending, first descending.',
  values: {
    ASC: { description: 'The least first, null last.' },
    DESC: { description: 'The greatest first, null before it.' },
  } as const,
})

export const DefinitionStatus = builder.enumType('DefinitionStatus', {
  description: 'Where a version of a definition stands in its life, in this order.',
  values: {
    DRAFT: { description: 'Being written: it can be changed and deleted, not started.' },
    PUBLISHED: { description: 'Can be started and no longer changed.' },
    DISABLED: { description: 'No longer started; running instances go on.' },
    ARCHIVED: { description: 'Put away.' },
  } as const,
})

export const InstanceStatus = builder.enumType('InstanceStatus', {
  description: 'Where an instance stands in its life, in this order.',
  values: {
    RUNNING: { description: 'Going on, or waiting for a task, a signal or a time.' },
    SUSPENDED: { description: 'Held by an operator; nothing of it moves.' },
    COMPLETED: { description: 'Came to its end.' },
    CANCELED: { description: 'Ended before its time, with compensation where the definition asks for it.' },
    FAULTED: { description: 'Stopped by a failure; it can be retried.' },
    TERMINATED: { description: 'Ended at once, without compensation.' },
  } as const,
})

export const NodeStatus = builder.enumType('NodeStatus', {
  description: 'Where one run of a node stands.',
  values: {
    RUNNING: { description: 'Being executed.' },
    WAITING: { description: 'Waits for a task, a signal, a time or a worker.' },
    COMPLETED: { description: 'Done.' },
    FAULTED: { description: 'Failed.' },
    CANCELED: { description: 'Given up before it was done.' },
    COMPENSATED: { description: 'Done and then undone.' },
  } as const,
})

export const BookmarkKind = builder.enumType('BookmarkKind', {
  description: 'What an instance can wait for.',
  values: {
    USER_TASK: { description: 'A person’s answer.' },
    TIMER: { description: 'A moment in time.' },
    SIGNAL: { description: 'A signal of a given name.' },
    SUB_WORKFLOW: { description: 'The end of a child instance.' },
    RETRY: { description: 'The next attempt at a node that failed.' },
    NODE_TIMEOUT: { description: 'The end of the time that a node may wait.' },
    EXTERNAL: { description: 'An external worker.' },
    REMINDER: { description: 'The moment to remind of a task.' },
    INSTANCE_TIMEOUT: { description: 'The end of the time that the instance may take.' },
    DEFINITION_TIMER: { description: 'The next start on schedule of a definition.' },
    JOB: { description: 'Work that the engine does in the background.' },
  } as const,
})

export const TaskAction = builder.enumType('TaskAction', {
  description: 'What happened to a task.',
  values: {
    COMPLETED: { description: 'Answered.' },
    TRANSFERRED: { description: 'Given to another person for good.' },
    DELEGATED: { description: 'Given to another person who reports back.' },
    ASSIGNEE_ADDED: { description: 'Another signer was added.' },
    ASSIGNEE_REMOVED: { description: 'A signer was taken off.' },
    CLAIMED: { description: 'Taken for oneself.' },
    RELEASED: { description: 'Given back to all who may answer it.' },
    RETURNED: { description: 'Sent back to an earlier node.' },
    WITHDRAWN: { description: 'Called back by the starter, with the whole instance.' },
    TAKEN_BACK: { description: 'An answer was taken back.' },
    HANDED_OVER: { description: 'Moved to another person with all the others.' },
    URGED: { description: 'Its holder was urged.' },
    TIMED_OUT: { description: 'Ended by the node’s time limit.' },
    CANCELED: { description: 'Withdrawn because it was decided elsewhere or the instance ended.' },
    SKIPPED: { description: 'Passed over or approved by a rule, because the person had made up his mind elsewhere.' },
    COMMENTED: { description: 'Something was said to it.' },
  } as const,
})

export const IssueSeverity = builder.enumType('IssueSeverity', {
  description: 'How much a problem of a definition matters.',
  values: {
    ERROR: { description: 'Keeps the definition from being published.' },
    WARNING: { description: 'Worth a look; does not keep it from being published.' },
  } as const,
})

export const ReusePolicy = builder.enumType('ReusePolicy', {
  description: 'What a start does when an unfinished instance has the same correlation id.',
  values: {
    ALLOW_DUPLICATE: { description: 'Starts another one.' },
    REJECT_ACTIVE: { description: 'Is refused (WORKFLOW_CONFLICT_005).' },
    RETURN_ACTIVE: { description: 'Answers with the unfinished one.' },
  } as const,
})
