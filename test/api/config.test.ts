import { describe, expect, it } from 'vitest'
import { ConfigError, helpText, variables } from '../../src/server/config.js'
import { createIdentify } from '../../src/server/identify.js'
import { readConfig } from '../../src/server/resolveConfig.js'

function mistakes(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.lines
    throw error
  }
  return []
}

/** A value that is wrong for each variable that not every text is right for. */
const wrong: { [name: string]: string } = {
  PORT: '65536',
  HOST: 'a b',
  DATABASE_URL: 'mysql://root:secret@db/x',
  MIGRATE: 'yes',
  POOL_SIZE: '0',
  DEMO: '1',
  AUTH_MODE: 'none',
  JWT_JWKS_URL: 'login.example.com',
  JWT_PUBLIC_KEY: 'abc',
  JWT_ISSUER: 'a\u0000b',
  JWT_AUDIENCE: 'a\nb',
  JWT_USER_CLAIM: '\u0007',
  JWT_TENANT_CLAIM: '\t',
  JWT_GROUPS_CLAIM: '\n',
  JWT_PERMISSIONS_CLAIM: '\r',
  MAX_NODE_EXECUTIONS_PER_BURST: '-1',
  MAX_SUB_WORKFLOW_DEPTH: '1.5',
  MAX_WEBHOOKS: 'all',
  LOCK_TIMEOUT_SECONDS: '0',
  NOT_RESUMABLE_BACKOFF_SECONDS: '1e3',
  EXPRESSION_CACHE_SIZE: 'many',
  HTTP_TIMEOUT_SECONDS: 'NaN',
  RETENTION_DAYS: '-1',
  SLOW_CLIENT_SECONDS: '0',
  EVENT_RETENTION_DAYS: '0',
  HOUSEKEEPING_INTERVAL_SECONDS: '0',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
  NATS_URL: 'http://broker',
  NATS_STREAM: 'a.b',
  ALLOWED_HOSTS: 'erp.internal,http://erp.internal',
  POLL_INTERVAL_SECONDS: '0.01',
  BATCH_SIZE: '10001',
  MAX_QUERY_DEPTH: '0',
  MAX_QUERY_COST: '-5',
  MAX_QUERY_ALIASES: 'x',
  MAX_QUERY_DIRECTIVES: '1_000',
  MAX_QUERY_TOKENS: '9',
  MAX_BODY_BYTES: '2MB',
  MAX_WEBSOCKET_MESSAGE_BYTES: '100',
  MAX_OPERATIONS_PER_WEBSOCKET: '0',
  ALLOWED_ORIGINS: 'https://app.example.com/path',
  INTROSPECTION: 'on',
  GRAPHIQL: 'TRUE',
  WEB_CLIENT: 'maybe',
  WEB_SIGN_IN_SCRIPT: 'http://elsewhere.example/sign-in.js',
  LOG_LEVEL: 'verbose',
  NODE_ENV: '\u0001',
}

describe('the configuration', () => {
  it('needs nothing: a loopback address, the embedded database, dev mode, the demo', () => {
    expect(readConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 4000,
      databaseUrl: 'pglite:./data',
      migrate: true,
      authMode: 'dev',
      demo: true,
      introspection: true,
      graphiql: true,
      pollInterval: 1000,
      allowedOrigins: [],
    })
    expect(readConfig({ PORT: '', DEMO: '' })).toMatchObject({ port: 4000, demo: true })
  })

  it('takes the hosts inside that may be called as URLs name them', () => {
    const given = 'erp.internal, Erp2.internal:8080,10.0.0.1,[::1]:80'
    expect(readConfig({ ALLOWED_HOSTS: given }).allowedHosts).toEqual(given.split(',').map((host) => host.trim()))
    expect(readConfig({}).allowedHosts).toEqual([])
    for (const host of ['*', '*.internal', 'a b', 'a/b', 'erp.internal.', '127.1', 'user@erp', '::1'])
      expect(() => readConfig({ ALLOWED_HOSTS: host })).toThrow('ALLOWED_HOSTS')
  })

  it('names every mistake, one line each, with what is allowed', () => {
    expect(Object.keys(wrong).sort()).toEqual(
      Object.values(variables)
        .map(({ name }) => name)
        .sort(),
    )
    const lines = mistakes(wrong)
    expect(lines).toHaveLength(Object.keys(wrong).length)
    for (const name of Object.keys(wrong)) {
      const [line = '', ...more] = lines.filter((candidate) => candidate.startsWith(`${name}: `))
      expect(more).toEqual([])
      expect(line).toMatch(/ is not allowed; give .+\.$/)
      expect(line).not.toContain('\n')
    }
    expect(lines.join('\n')).not.toContain('secret')
  })

  it('opens up on this machine only', () => {
    const jwt = {
      JWT_JWKS_URL: 'https://login.example.com/keys',
      JWT_ISSUER: 'https://login.example.com',
      JWT_AUDIENCE: 'countersign',
    }
    expect(readConfig({ HOST: '0.0.0.0', ...jwt })).toMatchObject({ authMode: 'jwt', demo: false })
    expect(readConfig({ NODE_ENV: 'production', ...jwt })).toMatchObject({
      authMode: 'jwt',
      introspection: false,
      graphiql: false,
    })
    expect(readConfig({ DATABASE_URL: 'postgresql://db/x' })).toMatchObject({ migrate: false })
    expect(mistakes({ HOST: '0.0.0.0', AUTH_MODE: 'dev' })).toEqual([expect.stringMatching(/^AUTH_MODE: "dev" .*HOST/)])
    expect(mistakes({ NODE_ENV: 'production', AUTH_MODE: 'dev' })).toEqual([
      expect.stringMatching(/^AUTH_MODE: "dev" .*NODE_ENV/),
    ])
    for (const host of ['127.0.0.1', '127.8.9.10', '::1', 'localhost'])
      expect(readConfig({ HOST: host })).toMatchObject({ authMode: 'dev' })
  })

  it('says what tokens need', () => {
    expect(mistakes({ AUTH_MODE: 'jwt' }).map((line) => line.split(':')[0])).toEqual([
      'JWT_JWKS_URL',
      'JWT_ISSUER',
      'JWT_AUDIENCE',
    ])
    const both = { JWT_JWKS_URL: 'https://a/', JWT_PUBLIC_KEY: '{}', JWT_ISSUER: 'a', JWT_AUDIENCE: 'b' }
    expect(mistakes({ AUTH_MODE: 'jwt', ...both })).toEqual([expect.stringMatching(/^JWT_PUBLIC_KEY: set together/)])
  })

  it('takes no key that is none', () => {
    const config = readConfig({
      AUTH_MODE: 'jwt',
      JWT_PUBLIC_KEY: '-----BEGIN PUBLIC KEY-----\\nabc\\n-----END PUBLIC KEY-----',
      JWT_ISSUER: 'a',
      JWT_AUDIENCE: 'b',
    })
    expect(() => createIdentify(config)).toThrow(/^JWT_PUBLIC_KEY: .*give it as PEM or JWK\.$/)
  })

  it('is listed whole by --help, with defaults', () => {
    const help = helpText()
    for (const { name, description } of Object.values(variables)) {
      expect(help).toContain(`  ${name}\n`)
      expect(help).toContain(description)
    }
    expect(help).toContain('Default: pglite:./data.')
  })
})
