import { SpanKind } from '@opentelemetry/api'
import type { JobResult } from '../engine/jobs.js'
import { type Fault, fault, type JsonObject } from '../engine/model.js'
import { handleInternal } from '../handle.js'
import type { LeasedJob } from '../persistence/locks.js'
import { classifyDatabaseError } from '../persistence/sqlstate.js'
import type { Runtime } from '../runtime.js'
import { causedBy, inSpan } from '../tracing.js'

/**
 * Does the work of one kind of job. What fails in the ordinary way is a result; an exception is a bug.
 * @param signal gives the work up: the server stops, or nobody wants the result any more
 */
export type DoJob = (payload: JsonObject, signal: AbortSignal) => Promise<JobResult>

/** Does one leased job and hands its result in. It never throws: a job that is not handed in is done again. */
export async function runJob(
  runtime: Runtime,
  doJob: DoJob | undefined,
  job: LeasedJob,
  signal: AbortSignal,
): Promise<void> {
  const facts = { tenant: job.tenantId, instance: job.instanceId, node: job.nodeId, job: job.id }
  try {
    const attributes = { 'countersign.tenant': job.tenantId, 'countersign.instance': job.instanceId }
    await inSpan(`job ${job.kind}`, { ...causedBy(job.traceparent), kind: SpanKind.CONSUMER, attributes }, async () =>
      handIn(runtime, job, await attempt(runtime, doJob, job, signal)),
    )
  } catch (error) {
    if (signal.aborted) runtime.log.info({ ...facts, reason: String(signal.reason) }, 'a job was given up')
    else runtime.log.error({ ...facts, err: error }, 'a job was lost; it is done again when its lease ends')
  }
}

async function attempt(
  runtime: Runtime,
  doJob: DoJob | undefined,
  job: LeasedJob,
  signal: AbortSignal,
): Promise<JobResult> {
  try {
    if (!doJob) throw new Error(`nothing here does jobs of the kind ${job.kind}`)
    return await doJob(job.payload, signal)
  } catch (error) {
    if (signal.aborted) throw error
    runtime.log.error({ instance: job.instanceId, node: job.nodeId, err: error }, 'a job threw')
    return { ok: false, fault: thrown(job, error) }
  }
}

const attempts = 3
const pauseAfterFailure = 500

/** The work is done: a busy instance or a short outage is no reason to do it again. The lease is renewed meanwhile. */
async function handIn(runtime: Runtime, job: LeasedJob, result: JobResult): Promise<void> {
  const { tenantId, id: bookmarkId, lease } = job
  let current = result
  for (let tried = 1; ; tried += 1) {
    try {
      // A refusal is no mistake: the node does not wait for the result any more, or somebody else has the job.
      await handleInternal(runtime, tenantId, { type: 'finishJob', bookmarkId, lease, result: current })
      return
    } catch (error) {
      if (tried === attempts) throw error
      // What the database will never take must not come back for ever: the node fails instead.
      if (classifyDatabaseError(error) === 'other') current = { ok: false, fault: thrown(job, error) }
      else await new Promise((resolve) => setTimeout(resolve, pauseAfterFailure * tried))
    }
  }
}

/** Only the class of what was thrown is told: a text of it could hold a secret. The log has it all. */
function thrown({ nodeId }: LeasedJob, error: unknown): Fault {
  const reason = error instanceof Error ? error.name : typeof error
  return fault('WORKFLOW_UNEXPECTED_001', 'workflow.activity.threw', { node: nodeId, reason })
}
