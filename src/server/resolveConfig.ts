import { ConfigError, type Environment, readSettings, type Settings } from './config.js'

type Dependent = 'migrate' | 'demo' | 'authMode' | 'introspection' | 'graphiql'
type Optional =
  | 'natsUrl'
  | 'otlpEndpoint'
  | 'webSignInScript'
  | 'jwtJwksUrl'
  | 'jwtPublicKey'
  | 'jwtIssuer'
  | 'jwtAudience'

/** A complete, checked configuration; durations are milliseconds. */
export type Config = { readonly [K in Exclude<keyof Settings, Optional>]: NonNullable<Settings[K]> } & {
  readonly [K in Optional]: Settings[K]
} & { readonly production: boolean }

/**
 * Reads and checks the configuration.
 * @throws ConfigError with one line per mistake
 */
export function readConfig(environment: Environment): Config {
  const mistakes: string[] = []
  const settings = readSettings(environment, mistakes)
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  const config = withDependentDefaults(settings)
  const conflicts = config.authMode === 'dev' ? devConflicts(config) : jwtConflicts(config)
  if (conflicts.length > 0) throw new ConfigError(conflicts)
  return config
}

function withDependentDefaults(settings: Settings): Config {
  const production = settings.nodeEnv === 'production'
  const embedded = settings.databaseUrl?.startsWith('pglite:') ?? true
  const trusted = isLoopback(settings.host ?? '') && !production
  const authMode = settings.authMode ?? (trusted ? 'dev' : 'jwt')
  const dependent: { [K in Dependent]: NonNullable<Settings[K]> } = {
    authMode,
    migrate: settings.migrate ?? embedded,
    demo: settings.demo ?? authMode === 'dev',
    introspection: settings.introspection ?? !production,
    graphiql: settings.graphiql ?? !production,
  }
  // Every other variable has a default, so that only the optional ones can be null here.
  return { ...settings, ...dependent, production } as Config
}

function devConflicts(config: Config): string[] {
  const lines: string[] = []
  if (!isLoopback(config.host)) {
    lines.push(
      `AUTH_MODE: "dev" lets every caller say who they are and is not allowed while HOST is "${config.host}"; ` +
        'give jwt, or a loopback address such as 127.0.0.1 as HOST.',
    )
  }
  if (config.production) {
    lines.push(
      'AUTH_MODE: "dev" lets every caller say who they are and is not allowed while NODE_ENV is "production"; give jwt.',
    )
  }
  return lines
}

function jwtConflicts(config: Config): string[] {
  const lines: string[] = []
  if (config.jwtJwksUrl === null && config.jwtPublicKey === null) {
    lines.push(
      'JWT_JWKS_URL: not set, and JWT_PUBLIC_KEY neither; AUTH_MODE jwt needs one of them. ' +
        '(jwt is the default where HOST is not a loopback address or NODE_ENV is production.)',
    )
  }
  if (config.jwtJwksUrl !== null && config.jwtPublicKey !== null) {
    lines.push('JWT_PUBLIC_KEY: set together with JWT_JWKS_URL; give only one of them.')
  }
  if (config.jwtIssuer === null) lines.push('JWT_ISSUER: not set; AUTH_MODE jwt needs the issuer of the tokens.')
  if (config.jwtAudience === null) lines.push('JWT_AUDIENCE: not set; AUTH_MODE jwt needs the audience of the tokens.')
  return lines
}

/** Whether only this machine can reach the address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}
