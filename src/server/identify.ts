import { createDevIdentify } from './devIdentity.js'
import type { Identify } from './identity.js'
import { createJwtIdentify } from './jwtIdentity.js'
import type { Config } from './resolveConfig.js'

/** The way of identifying callers that the configuration asks for. */
export function createIdentify(config: Config): Identify {
  switch (config.authMode) {
    case 'dev':
      return createDevIdentify()
    case 'jwt':
      return createJwtIdentify(config)
  }
}
