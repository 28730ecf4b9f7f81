import type { Activity } from './activity.js'

/** An activity of the application: the shell runs its code, inside the transaction of the command. */
export function customActivity(
  description: Omit<Activity, 'execute' | 'resume'>,
  code: { resumable: boolean },
): Activity {
  return {
    ...description,
    execute: () => ({ kind: 'call', request: { kind: 'activity' } }),
    ...(code.resumable
      ? { resume: ({ bookmark, inputs }) => ({ kind: 'call', request: { kind: 'resume', bookmark, inputs } }) }
      : {}),
  }
}
