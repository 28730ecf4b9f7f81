import { resumeNode } from './burst.js'
import { find } from './due.js'
import { type Execution, removeBookmark } from './execution.js'
import { failNode } from './failure.js'
import { type Fault, type JsonObject, type Refusal, refusal } from './model.js'

/**
 * What work outside any transaction came to. The work is done at least once: after a crash it is done again, under the
 * same key.
 */
export type JobResult = { ok: true; output: JsonObject } | { ok: false; fault: Fault }

/** The end of a job that a worker had leased. */
export interface JobCommand {
  type: 'finishJob'
  bookmarkId: string
  /** The token of the lease: the result of one that has passed on is refused. */
  lease: string
  result: JobResult
}

/** Takes the result of a job: its node goes on with it, or fails by its retry policy. */
export function finishJob(execution: Execution, command: JobCommand): Refusal | null {
  const job = find(execution, command.bookmarkId)
  if ('refused' in job) return job
  const nodeInstance = execution.nodeInstances.get(job.nodeInstanceId ?? '')
  if (job.kind !== 'JOB' || job.lock?.by !== command.lease || !nodeInstance)
    return refusal('WORKFLOW_DENIED_002', 'workflow.job.lease_lost', { id: job.id })
  removeBookmark(execution, job.id)
  const { result } = command
  if (result.ok) resumeNode(execution, nodeInstance, job, result.output)
  else failNode(execution, nodeInstance, result.fault)
  return null
}
