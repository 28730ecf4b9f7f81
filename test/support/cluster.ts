import { expect } from 'vitest'
import { as, post } from '../api/network.js'
import { run } from './process.js'

/** A server process of its own. */
export type Node = ReturnType<typeof run> & { url: string }

/** Starts so many nodes on one database with the demo in it. */
export async function startNodes(url: string, count: number): Promise<Node[]> {
  // The first fills the database with the demo, which the others then find.
  const first = await startNode(url)
  return [first, ...(await Promise.all(Array.from({ length: count - 1 }, () => startNode(url))))]
}

/** Starts one more node. */
export async function startNode(url: string, more: Record<string, string> = {}): Promise<Node> {
  const child = run({ DATABASE_URL: url, DEMO: 'true', POOL_SIZE: '4', LOG_LEVEL: 'silent', ...more })
  return { ...child, ...(await child.ready) }
}

/** Asks one node after the other until one answers; a key makes sure that nothing is done twice. */
export async function ask(
  nodes: readonly Node[],
  first: number,
  user: string,
  query: string,
  permissions = 'operate',
): Promise<Record<string, never>> {
  for (let attempt = 0; attempt < 1000; attempt += 1) {
    const node = nodes[(first + attempt) % nodes.length]
    const answer = node && (await post(node, query, as(user, permissions)).catch(() => null))
    const [error] = answer?.body.errors ?? []
    if (answer && !error) return answer.body.data.it
    if (error && !['WORKFLOW_UNAVAILABLE_001', 'WORKFLOW_TIMEOUT_001'].includes(error.extensions?.code))
      throw new Error(JSON.stringify(error))
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('no node answered')
}

/** Publishes a process that only waits for so long. */
export async function publishDelay(nodes: readonly Node[], name: string, duration: string): Promise<void> {
  const document = `{ name: "${name}", nodes: [
    { id: "s", activityType: "Start" },
    { id: "d", activityType: "Delay", properties: { Duration: "${duration}" } },
    { id: "e", activityType: "End" } ], transitions: [
    { id: "1", sourceNodeId: "s", targetNodeId: "d" }, { id: "2", sourceNodeId: "d", targetNodeId: "e" } ] }`
  const create = `mutation { it: createDefinition(input: { document: ${document} }) { definition { id } } }`
  const created = (await ask(nodes, 0, 'dora', create, 'design')) as unknown as { definition: { id: string } }
  const publish = `mutation { it: publishDefinition(input: { id: "${created.definition.id}" }) { definition { id } } }`
  await ask(nodes, 0, 'dora', publish, 'design')
}

interface Done {
  instance: { id: string; status: string; tasks: { id: string }[] }
}

/** One leave from the asking to the approval, each step at another node. Answers the instance. */
export async function leave(nodes: readonly Node[], number: number, approver = 'bob'): Promise<string> {
  const variables = `{ applicant: "Alice", days: 1, approvers: "${approver}" }`
  const started = (await ask(
    nodes,
    number,
    'alice',
    `mutation { it: startInstance(input: { name: "hr.leave", variables: ${variables}, idempotencyKey: "s${number}" }) {
      instance { id status tasks { id } } } }`,
  )) as unknown as Done
  const taskId = started.instance.tasks[0]?.id
  const approved = (await ask(
    nodes,
    number + 1,
    approver,
    `mutation { it: approveTask(input: { taskId: "${taskId}", idempotencyKey: "a${number}" }) {
      instance { id status tasks { id } } } }`,
  )) as unknown as Done
  expect(approved.instance).toMatchObject({ id: started.instance.id, status: 'COMPLETED' })
  return started.instance.id
}
