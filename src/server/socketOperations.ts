import type { ExecutionArgs, FormattedExecutionResult, GraphQLError, GraphQLFormattedError } from 'graphql'
import { makeServer, type Server, type ServerOptions, type Context as SocketContext } from 'graphql-ws'
import type { WebSocket } from 'ws'
import { createMaskError, serverRefusal } from './errors.js'
import { atExpiry } from './expiry.js'
import { type Identify, type Identity, IdentityRefused } from './identity.js'
import { refuseInexactNumbers } from './requestBody.js'
import type { Config } from './resolveConfig.js'
import type { RunningOperations } from './running.js'
import type { GraphQLParts, GraphQLServer, ServerContext } from './yoga.js'

/** What is known of a socket besides its messages. */
export interface SocketFacts {
  socket: WebSocket
  /** The message being handled, as it was sent. */
  text: string
  identity: Identity
  callOff: () => void
}

/** "Forbidden" of the graphql-transport-ws protocol: clients may come again, with new credentials. */
const forbidden = 4403
const tryAgainLater = 1013

type Enveloped = ReturnType<GraphQLServer['getEnveloped']>
type Operation = ExecutionArgs & Pick<Enveloped, 'execute' | 'subscribe'>
type Result = Parameters<NonNullable<ServerOptions['onNext']>>[4]
type Connection = SocketContext<Record<string, unknown>, SocketFacts>

/** The graphql-transport-ws protocol over the plugins of the GraphQL server: limits, masking and access are the same. */
export function createSocketOperations(
  config: Config,
  yoga: GraphQLServer,
  { identify, log, running }: Pick<GraphQLParts, 'identify' | 'log'> & { running: RunningOperations },
): Server<SocketFacts> {
  const mask = createMaskError(log)
  return makeServer<Record<string, unknown>, SocketFacts>({
    connectionInitWaitTimeout: 5000,
    onConnect: (connection) => admit(connection, identify),
    async onSubscribe({ subscriptions, extra }, _id, payload) {
      try {
        refuseInexactNumbers(extra.text)
        refuseExcess(Object.keys(subscriptions).length, config.maxOperationsPerSocket)
        const transport: Partial<ServerContext> = { identity: extra.identity }
        const { schema, parse, validate, contextFactory, execute, subscribe } = yoga.getEnveloped(transport)
        const document = parse(payload.query)
        const errors: readonly GraphQLError[] = validate(schema, document)
        if (errors.length > 0) return errors
        const operation: Operation = {
          schema,
          document,
          contextValue: await contextFactory(),
          execute,
          subscribe,
          ...(payload.operationName && { operationName: payload.operationName }),
          ...(payload.variables && { variableValues: payload.variables }),
        }
        return operation
      } catch (error) {
        return [mask(error)]
      }
    },
    async execute(operation) {
      const end = running.begin()
      try {
        return await (operation as Operation).execute(operation)
      } finally {
        end()
      }
    },
    subscribe: (operation) => (operation as Operation).subscribe(operation),
    onNext: (_connection, _id, _payload, _operation, result) => formatResult(result),
    onError: (_connection, _id, _payload, errors) => errors.map(formatError),
    onClose: ({ extra }) => extra.callOff(),
  })
}

/** Takes the caller's word from the connection parameters; the socket ends with the identity. */
async function admit({ connectionParams, extra }: Connection, identify: Identify): Promise<boolean> {
  try {
    extra.identity = await identify(credentialsIn(connectionParams))
  } catch (error) {
    if (!(error instanceof IdentityRefused)) throw error
    if (error.reason === 'unavailable') extra.socket.close(tryAgainLater, 'Credentials cannot be checked now')
    else extra.socket.close(forbidden, error.reason === 'expired' ? 'Token expired' : 'Credentials refused')
    return false
  }
  extra.callOff = atExpiry(extra.identity.expiresAt, () => extra.socket.close(forbidden, 'Token expired'))
  return true
}

/** Connection parameters are written like headers; clients differ in the case of the names. */
function credentialsIn(parameters: Record<string, unknown> | undefined): (name: string) => string | null {
  const found = new Map(Object.entries(parameters ?? {}).map(([name, value]) => [name.toLowerCase(), value]))
  return (name) => {
    const value = found.get(name)
    return typeof value === 'string' ? value : null
  }
}

function refuseExcess(operations: number, max: number): void {
  if (operations > max) throw serverRefusal('WORKFLOW_VALIDATION_004', 'workflow.request.too_many_operations', { max })
}

function formatResult({ data, errors, extensions }: Result): FormattedExecutionResult {
  return {
    ...(errors && { errors: errors.map(formatError) }),
    ...(data !== undefined && { data }),
    ...(extensions && { extensions }),
  }
}

/** An error as clients see it; what its extensions say to an HTTP response stays here. */
function formatError(error: GraphQLError): GraphQLFormattedError {
  const { extensions, ...rest } = error.toJSON()
  const { http: _http, ...shown } = extensions ?? {}
  return { ...rest, extensions: shown }
}
