import type { Execution } from '../execution.js'
import { type Fault, fault, type JsonObject, type NodeInstanceState, type WorkflowNode } from '../model.js'
import { renderJson, renderProperty } from '../properties.js'
import { type Activity, type ActivityResult, complete, type PropertyIssue } from './activity.js'

/** A request as its job holds it: rendered, so that another try sends the same. */
export interface HttpRequest {
  url: string
  method: string
  /** By name in lower case. */
  headers: { [name: string]: string }
  body: string | null
  /** How long the whole exchange may take, in milliseconds. */
  timeout: number
}

/** The key of the jobs that make HTTP calls. */
export const httpJob = 'http'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
const bodiless: readonly string[] = ['GET', 'HEAD']
/** A day, in milliseconds: what waits longer is no call. */
const longestTimeout = 86_400_000
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
// What a header may hold: Latin-1 without control characters, tabs excepted. A line break would begin another header.
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/
/** Headers of the connection, which are not the author's to set; a false Host would reach behind an allowed one. */
const forbidden = /^(host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|keep-alive|proxy-.*)$/i

/** Calls an HTTP service; a worker makes the call after the commit, outside any transaction. */
export const http: Activity = {
  type: 'Http',
  category: 'integration',
  outgoing: 'AllMatched',
  properties: [
    { name: 'Url', type: 'template', required: true, defaultValue: null },
    { name: 'Method', type: 'string', required: false, defaultValue: 'GET', values: methods },
    { name: 'Headers', type: 'object', required: false, defaultValue: null },
    { name: 'Body', type: 'json', required: false, defaultValue: null },
    { name: 'ContentType', type: 'template', required: false, defaultValue: 'application/json' },
    { name: 'TimeoutSeconds', type: 'number', required: false, defaultValue: null },
    { name: 'ResultVariable', type: 'string', required: false, defaultValue: 'http' },
    { name: 'FailOnErrorStatus', type: 'boolean', required: false, defaultValue: true },
  ],
  validate(node) {
    const issues: PropertyIssue[] = []
    const { Body = null, Headers, TimeoutSeconds } = node.properties
    const facts = (property: string) => ({ node: node.id, property })
    if (!(methods as readonly string[]).includes(methodOf(node)))
      issues.push({
        property: 'Method',
        messageKey: 'workflow.activity.property_value',
        arguments: { ...facts('Method'), allowed: methods.join(', ') },
      })
    if (TimeoutSeconds === 0)
      issues.push({
        property: 'TimeoutSeconds',
        messageKey: 'workflow.activity.property_not_positive',
        arguments: facts('TimeoutSeconds'),
      })
    if (Body !== null && bodiless.includes(methodOf(node)))
      issues.push({
        property: 'Body',
        messageKey: 'workflow.http.body_without_effect',
        arguments: { node: node.id, method: methodOf(node) },
        severity: 'WARNING',
      })
    for (const name of Object.keys(typeof Headers === 'object' ? (Headers ?? {}) : {}))
      if (!mayBeSet(name))
        issues.push({
          property: `Headers.${name}`,
          messageKey: 'workflow.http.header_invalid',
          arguments: { node: node.id, header: name },
        })
    return issues
  },
  execute({ execution, node, nodeInstance }): ActivityResult {
    const request = requestOf(execution, node, nodeInstance)
    if (!request.ok) return { kind: 'fail', fault: request.fault }
    return {
      kind: 'suspend',
      state: {},
      bookmarks: [
        {
          kind: 'JOB',
          key: httpJob,
          correlationId: null,
          dueAt: null,
          payload: { ...request.value },
          task: null,
          lock: { by: null, until: execution.world.now },
        },
      ],
    }
  },
  resume({ node, inputs }) {
    const { status = null, reason = '', headers = {}, body = null } = inputs
    if (node.properties.FailOnErrorStatus !== false && Number(status) >= 400) {
      const args = { status: Number(status), reason: String(reason) }
      return { kind: 'fail', fault: fault('WORKFLOW_UNEXPECTED_001', 'workflow.http.error_status', args) }
    }
    const variable = node.properties.ResultVariable
    const name = typeof variable === 'string' && variable !== '' ? variable : 'http'
    return complete({ [name]: { status, headers, body } })
  },
}

function methodOf(node: WorkflowNode): string {
  return String(node.properties.Method ?? 'GET').toUpperCase()
}

function mayBeSet(name: string): boolean {
  return headerName.test(name) && !forbidden.test(name)
}

type Rendered<T> = { ok: true; value: T } | { ok: false; fault: Fault }

function requestOf(execution: Execution, node: WorkflowNode, nodeInstance: NodeInstanceState): Rendered<HttpRequest> {
  const url = renderProperty(execution, node, 'Url')
  if (!url.ok) return url
  const method = methodOf(node)
  const body = bodiless.includes(method) ? { ok: true as const, value: null } : bodyOf(execution, node)
  if (!body.ok) return body
  const headers = headersOf(execution, node, body.value !== null)
  if (!headers.ok) return headers
  const seconds = Number(node.properties.TimeoutSeconds ?? 0)
  return {
    ok: true,
    value: {
      url: url.value.trim(),
      method,
      // A call that is made again after a crash carries the same key: the other side can tell.
      headers: { ...headers.value, 'idempotency-key': `${nodeInstance.id}-${nodeInstance.attempt}` },
      body: body.value,
      timeout: seconds > 0 ? Math.min(Math.ceil(seconds * 1000), longestTimeout) : execution.world.options.httpTimeout,
    },
  }
}

/** A text is sent as it reads, any other value as JSON. */
function bodyOf(execution: Execution, node: WorkflowNode): Rendered<string | null> {
  const { Body = null } = node.properties
  if (Body === null) return { ok: true, value: null }
  const rendered = renderJson(execution, Body)
  if (!rendered.ok) return rendered
  return { ok: true, value: typeof rendered.value === 'string' ? rendered.value : JSON.stringify(rendered.value) }
}

function headersOf(execution: Execution, node: WorkflowNode, hasBody: boolean): Rendered<{ [name: string]: string }> {
  const rendered = renderJson(execution, node.properties.Headers ?? {})
  if (!rendered.ok) return rendered
  const contentType = renderProperty(execution, node, 'ContentType')
  if (!contentType.ok) return contentType
  const headers: { [name: string]: string } = {}
  for (const [name, value] of Object.entries(rendered.value as JsonObject)) {
    if (!mayBeSet(name) || !headerValue.test(textOf(value))) return { ok: false, fault: headerFault(node, name) }
    headers[name.toLowerCase()] = textOf(value).trim()
  }
  if (!headerValue.test(contentType.value)) return { ok: false, fault: headerFault(node, 'Content-Type') }
  if (contentType.value !== '') headers['content-type'] = contentType.value
  else if (hasBody) headers['content-type'] ??= 'application/json'
  return { ok: true, value: headers }
}

function textOf(value: JsonObject[string] | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '')
}

function headerFault(node: WorkflowNode, header: string): Fault {
  return fault('WORKFLOW_VALIDATION_002', 'workflow.http.header_invalid', {
    node: node.id,
    header: header.slice(0, 100),
  })
}
