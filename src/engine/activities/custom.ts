import { answerTo, type CallRequest } from '../calls.js'
import type { Activity, ActivityResult } from './activity.js'

const request: CallRequest = { kind: 'activity' }

/** An activity of the application: the shell runs its code, inside the transaction of the command. */
export function customActivity(description: Omit<Activity, 'execute'>): Activity {
  return {
    ...description,
    execute({ execution, nodeInstance }): ActivityResult {
      const answer = answerTo(execution, nodeInstance.id, request)
      if (answer === null) return { kind: 'call', request }
      if (answer.kind === 'people') throw new Error('an activity was answered with people')
      return answer
    },
  }
}
