// The clients of the approval measurement, in a process of their own: told what to approve, they answer with the rate.
import { Agent, request } from 'node:http'
import { rateOf } from './database.js'

/** What the clients are told. */
export interface Approvals {
  server: string
  tasks: string[]
  clients: number
}

const query = 'mutation ($taskId: ID!) { it: approveTask(input: { taskId: $taskId }) { instance { status } } }'

process.once('message', (told: Approvals) => {
  const agent = new Agent({ keepAlive: true, maxSockets: told.clients })
  rateOf(told.tasks, told.clients, (taskId) => approve(told.server, agent, taskId)).then(
    (rate) => process.send?.({ rate }),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})

function approve(server: string, agent: Agent, taskId: string): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-user-id': 'u1', 'x-permissions': 'design,operate' }
  return new Promise((resolve, reject) => {
    const sent = request(`${server}/graphql`, { method: 'POST', agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
      })
      response.on('end', () => (text.includes('"errors"') ? reject(new Error(text)) : resolve()))
    })
    sent.on('error', reject)
    sent.end(JSON.stringify({ query, variables: { taskId } }))
  })
}
