import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose'
import { ConfigError } from './config.js'
import { commaList, type Identify, type Identity, IdentityRefused, parseActor } from './identity.js'
import type { Config } from './resolveConfig.js'

/** Public-key signatures only: a shared secret would let every verifier sign. */
const algorithms = ['RS256', 'ES256', 'EdDSA']

/**
 * Callers prove who they are by `Authorization: Bearer <JWT>`; without the header they are nobody.
 * @throws ConfigError when JWT_PUBLIC_KEY is not a key
 */
export function createJwtIdentify(config: Config): Identify {
  const verify = createVerify(config)
  return async (credentials) => {
    const header = credentials('authorization')
    if (header === null || header === '') return { actor: null, expiresAt: null }
    const token = /^Bearer +([\w.-]+)$/i.exec(header)?.[1]
    if (token === undefined) throw new IdentityRefused('invalid')
    try {
      return identityOf(config, await verify(token))
    } catch (error) {
      throw error instanceof IdentityRefused ? error : new IdentityRefused(reasonOf(error), error)
    }
  }
}

function createVerify(config: Config): (token: string) => Promise<JWTPayload> {
  const options = {
    algorithms,
    requiredClaims: ['exp'],
    ...(config.jwtIssuer !== null && { issuer: config.jwtIssuer }),
    ...(config.jwtAudience !== null && { audience: config.jwtAudience }),
  }
  if (config.jwtJwksUrl !== null) {
    const keys = createRemoteJWKSet(new URL(config.jwtJwksUrl), { timeoutDuration: 5000 })
    return async (token) => (await jwtVerify(token, keys, options)).payload
  }
  const key = publicKey(config.jwtPublicKey ?? '')
  return async (token) => (await jwtVerify(token, key, options)).payload
}

function publicKey(source: string): KeyObject {
  try {
    if (!source.trimStart().startsWith('{')) return createPublicKey(source.replaceAll('\\n', '\n'))
    return createPublicKey({ key: JSON.parse(source) as JsonWebKey, format: 'jwk' })
  } catch {
    throw new ConfigError(['JWT_PUBLIC_KEY: the value is not a public key; give it as PEM or JWK.'])
  }
}

function identityOf(config: Config, payload: JWTPayload): Identity {
  const actor = parseActor({
    userId: payload[config.jwtUserClaim],
    tenantId: payload[config.jwtTenantClaim] ?? '',
    groups: listClaim(payload[config.jwtGroupsClaim]),
    permissions: listClaim(payload[config.jwtPermissionsClaim]),
  })
  return { actor, expiresAt: payload.exp === undefined ? null : payload.exp * 1000 }
}

function listClaim(value: unknown): unknown {
  if (value === undefined || value === null) return []
  return typeof value === 'string' ? commaList(value) : value
}

/** What the token is at fault for is `invalid`; a key set that could not be fetched is not the caller's fault. */
function reasonOf(error: unknown): IdentityRefused['reason'] {
  if (error instanceof errors.JWTExpired) return 'expired'
  const outage =
    !(error instanceof errors.JOSEError) ||
    error instanceof errors.JWKSTimeout ||
    error instanceof errors.JWKSInvalid ||
    error.code === 'ERR_JOSE_GENERIC'
  return outage ? 'unavailable' : 'invalid'
}
