import { choice, flag, hosts, integer, origins, seconds, text, type Variable } from './variables.js'

/** The environment that the configuration is read from; `process.env` has this shape. */
export type Environment = Readonly<Record<string, string | undefined>>

const anything = /^\P{Cc}+$/u

/** Every variable that the server reads, in the order of `--help`. */
export const variables = {
  port: integer(
    'PORT',
    { min: 0, max: 65_535 },
    { fallback: '4000', description: 'Port to listen on; 0 takes a free one.' },
  ),
  host: text('HOST', /^[\w.:-]+$/, {
    fallback: '127.0.0.1',
    allowed: 'a host name or an address',
    description: 'Address to listen on.',
  }),
  databaseUrl: text('DATABASE_URL', /^(pglite:.+|postgres(ql)?:\/\/.+)$/, {
    fallback: 'pglite:./data',
    allowed: 'pglite:<folder>, pglite:memory or postgresql://…',
    secret: true,
    description: 'Where the data is: embedded in a folder, in memory, or a PostgreSQL server (15 or later).',
  }),
  migrate: flag('MIGRATE', {
    fallback: null,
    description: 'Apply new migrations at the start. Default: true on the embedded database, else false.',
  }),
  poolSize: integer('POOL_SIZE', { min: 1, max: 1000 }, { fallback: '10', description: 'Connections to PostgreSQL.' }),
  demo: flag('DEMO', {
    fallback: null,
    description: 'Fill an empty database with demo definitions and people. Default: true in dev mode.',
  }),
  authMode: choice('AUTH_MODE', ['dev', 'jwt'], {
    fallback: null,
    description:
      'dev: callers say who they are in headers. jwt: bearer tokens. ' +
      'Default: dev on a loopback address outside production, else jwt.',
  }),
  jwtJwksUrl: text('JWT_JWKS_URL', /^https?:\/\/.+$/, {
    fallback: null,
    allowed: 'an http or https URL',
    description: 'Key set that signs the tokens.',
  }),
  jwtPublicKey: text('JWT_PUBLIC_KEY', /^(-----BEGIN PUBLIC KEY-----|\s*\{)[\s\S]+$/, {
    fallback: null,
    allowed: 'a public key as PEM (line breaks may be written as \\n) or JWK',
    description: 'Public key that verifies the tokens, where there is no JWT_JWKS_URL.',
  }),
  jwtIssuer: text('JWT_ISSUER', anything, {
    fallback: null,
    allowed: 'text',
    description: 'Required issuer of the tokens.',
  }),
  jwtAudience: text('JWT_AUDIENCE', anything, {
    fallback: null,
    allowed: 'text',
    description: 'Required audience of the tokens.',
  }),
  jwtUserClaim: text('JWT_USER_CLAIM', anything, {
    fallback: 'sub',
    allowed: 'a claim name',
    description: 'Claim with the user id.',
  }),
  jwtTenantClaim: text('JWT_TENANT_CLAIM', anything, {
    fallback: 'tenant',
    allowed: 'a claim name',
    description: 'Claim with the partition.',
  }),
  jwtGroupsClaim: text('JWT_GROUPS_CLAIM', anything, {
    fallback: 'groups',
    allowed: 'a claim name',
    description: 'Claim with the groups.',
  }),
  jwtPermissionsClaim: text('JWT_PERMISSIONS_CLAIM', anything, {
    fallback: 'permissions',
    allowed: 'a claim name',
    description: 'Claim with the permissions: design, operate, work, admin.',
  }),
  maxNodeExecutionsPerBurst: integer(
    'MAX_NODE_EXECUTIONS_PER_BURST',
    { min: 1, max: 1_000_000 },
    {
      fallback: '1000',
      description: 'Nodes that one burst may run before the instance faults.',
    },
  ),
  maxSubWorkflowDepth: integer(
    'MAX_SUB_WORKFLOW_DEPTH',
    { min: 1, max: 1000 },
    {
      fallback: '16',
      description: 'How deep sub-workflows may nest.',
    },
  ),
  lockTimeout: seconds(
    'LOCK_TIMEOUT_SECONDS',
    { min: 0.1, max: 3600 },
    {
      fallback: '10',
      description: 'How long a call waits for an instance that is busy.',
    },
  ),
  notResumableBackoff: seconds(
    'NOT_RESUMABLE_BACKOFF_SECONDS',
    { min: 1, max: 86_400 },
    {
      fallback: '300',
      description: 'How long due work that cannot go on now is put off.',
    },
  ),
  expressionCacheSize: integer(
    'EXPRESSION_CACHE_SIZE',
    { min: 1, max: 10_000_000 },
    {
      fallback: '10000',
      description: 'Parsed expressions that are kept.',
    },
  ),
  httpTimeout: seconds(
    'HTTP_TIMEOUT_SECONDS',
    { min: 0.1, max: 86_400 },
    {
      fallback: '30',
      description: 'How long the call of an Http node may take where the node sets no limit.',
    },
  ),
  retentionDays: integer(
    'RETENTION_DAYS',
    { min: 0, max: 36_500 },
    {
      fallback: '0',
      description: 'How many days an ended instance is kept; 0 keeps it until it is purged by hand.',
    },
  ),
  eventRetentionDays: integer(
    'EVENT_RETENTION_DAYS',
    { min: 1, max: 3650 },
    {
      fallback: '7',
      description: 'How many days events and idempotency keys are kept: cursors older than that have to load again.',
    },
  ),
  housekeepingInterval: seconds(
    'HOUSEKEEPING_INTERVAL_SECONDS',
    { min: 1, max: 86_400 },
    {
      fallback: '3600',
      description: 'How often what is past its retention is removed.',
    },
  ),
  allowedHosts: hosts('ALLOWED_HOSTS', {
    fallback: '',
    description: 'Hosts inside that processes may call; otherwise they reach public addresses only.',
  }),
  maxWebhooks: integer(
    'MAX_WEBHOOKS',
    { min: 0, max: 10_000 },
    { fallback: '100', description: 'Webhooks that one partition may have.' },
  ),
  natsUrl: text('NATS_URL', /^(nats|tls|wss?):\/\/.+$/, {
    fallback: null,
    allowed: 'a URL such as nats://127.0.0.1:4222',
    secret: true,
    description: 'Carry all events as CloudEvents to this NATS server with JetStream. Off by default.',
  }),
  natsStream: text('NATS_STREAM', /^[A-Za-z][\w-]{0,63}$/, {
    fallback: 'COUNTERSIGN',
    allowed: 'a name of letters, digits, _ and -',
    description: 'The JetStream stream that keeps the events; made where it is missing.',
  }),
  otlpEndpoint: text('OTEL_EXPORTER_OTLP_ENDPOINT', /^https?:\/\/.+$/, {
    fallback: null,
    allowed: 'an http or https URL such as http://127.0.0.1:4318',
    description:
      'Send traces to this OpenTelemetry collector (OTLP over HTTP). Off by default; needs packages of its own.',
  }),
  pollInterval: seconds(
    'POLL_INTERVAL_SECONDS',
    { min: 0.05, max: 3600 },
    {
      fallback: '1',
      description: 'How often due work is looked for.',
    },
  ),
  batchSize: integer(
    'BATCH_SIZE',
    { min: 1, max: 10_000 },
    { fallback: '100', description: 'Due pieces of work taken at a time.' },
  ),
  maxQueryDepth: integer(
    'MAX_QUERY_DEPTH',
    { min: 1, max: 1000 },
    { fallback: '15', description: 'Levels of an operation.' },
  ),
  maxQueryCost: integer(
    'MAX_QUERY_COST',
    { min: 1, max: 1_000_000_000 },
    {
      fallback: '25000',
      description: 'Cost of an operation: one per field, times the size of the lists around it.',
    },
  ),
  maxQueryAliases: integer(
    'MAX_QUERY_ALIASES',
    { min: 0, max: 100_000 },
    { fallback: '30', description: 'Aliases in an operation.' },
  ),
  maxQueryDirectives: integer(
    'MAX_QUERY_DIRECTIVES',
    { min: 0, max: 100_000 },
    {
      fallback: '50',
      description: 'Directives in an operation.',
    },
  ),
  maxQueryTokens: integer(
    'MAX_QUERY_TOKENS',
    { min: 10, max: 1_000_000 },
    {
      fallback: '2000',
      description: 'Tokens of a document, and fields of an operation once fragments are spread.',
    },
  ),
  maxBodyBytes: integer(
    'MAX_BODY_BYTES',
    { min: 1024, max: 1_000_000_000 },
    {
      fallback: '2097152',
      description: 'Size of a request, unpacked.',
    },
  ),
  maxMessageBytes: integer(
    'MAX_WEBSOCKET_MESSAGE_BYTES',
    { min: 1024, max: 100_000_000 },
    {
      fallback: '65536',
      description: 'Size of a WebSocket message from a client.',
    },
  ),
  maxOperationsPerSocket: integer(
    'MAX_OPERATIONS_PER_WEBSOCKET',
    { min: 1, max: 10_000 },
    {
      fallback: '20',
      description: 'Operations that one WebSocket may have running.',
    },
  ),
  slowClientPatience: seconds(
    'SLOW_CLIENT_SECONDS',
    { min: 0.1, max: 3600 },
    {
      fallback: '30',
      description:
        'How long a subscriber may leave a message unread before the connection is ended; the client resumes behind its last cursor.',
    },
  ),
  allowedOrigins: origins('ALLOWED_ORIGINS', {
    fallback: '',
    description: 'Other sites whose pages may call this server (CORS and WebSocket). None by default.',
  }),
  introspection: flag('INTROSPECTION', {
    fallback: null,
    description: 'Answer introspection. Default: true outside production.',
  }),
  graphiql: flag('GRAPHIQL', {
    fallback: null,
    description: 'Serve GraphiQL at /graphql. Default: true outside production.',
  }),
  webClient: flag('WEB_CLIENT', { fallback: 'true', description: 'Serve the approval centre at /.' }),
  webSignInScript: text('WEB_SIGN_IN_SCRIPT', /^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1)[:/]|\/)[^\s;,'"]+$/, {
    fallback: null,
    allowed: 'an https URL, or a path of this host',
    description: 'Script that signs people in to the approval centre in AUTH_MODE jwt; see docs/web-client.md.',
  }),
  logLevel: choice('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    fallback: 'info',
    description: 'The least important messages that are logged.',
  }),
  nodeEnv: text('NODE_ENV', anything, {
    fallback: 'development',
    allowed: 'production or another word',
    description: 'production turns the open defaults off.',
  }),
} satisfies { [field: string]: Variable<unknown> }

type Variables = typeof variables
type Value<V> = V extends Variable<infer T> ? T : never

/** What was read, before defaults that depend on other variables: null is "not set". */
export type Settings = { [K in keyof Variables]: Value<Variables[K]> | null }

/** A configuration that may not be used: one line per mistake, each fit to be shown to the operator. */
export class ConfigError extends Error {
  readonly lines: readonly string[]
  constructor(lines: readonly string[]) {
    super(lines.join('\n'))
    this.name = 'ConfigError'
    this.lines = lines
  }
}

/** Reads every variable by itself; an empty value counts as not set. Mistakes are added to `mistakes`. */
export function readSettings(environment: Environment, mistakes: string[]): Settings {
  const settings: { [field: string]: unknown } = {}
  for (const [field, variable] of Object.entries<Variable<unknown>>(variables)) {
    const given = environment[variable.name]
    const source = given === undefined || given === '' ? variable.fallback : given
    const parsed = source === null ? null : variable.parse.safeParse(source)
    settings[field] = parsed?.success ? parsed.data : null
    if (parsed && !parsed.success) mistakes.push(mistake(variable, source ?? ''))
  }
  return settings as Settings
}

function mistake(variable: Variable<unknown>, value: string): string {
  const shown = variable.secret ? 'the value (not shown, it may hold a password)' : JSON.stringify(value.slice(0, 100))
  return `${variable.name}: ${shown} is not allowed; give ${variable.allowed}.`
}

/** The text of `--help`: every variable with its default, from the same table that reads them. */
export function helpText(): string {
  const lines = Object.values<Variable<unknown>>(variables).map((variable) => {
    const standard = variable.fallback === null || variable.fallback === '' ? '' : ` Default: ${variable.fallback}.`
    return `  ${variable.name}\n      ${variable.description}${standard} Allowed: ${variable.allowed}.`
  })
  return [
    'countersign: a durable workflow and approval engine behind a GraphQL API',
    '',
    'Usage: countersign [--help]',
    '',
    'It is configured by environment variables:',
    '',
    ...lines,
    '',
  ].join('\n')
}
