import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

export interface Address {
  address: string
  family: number
}

/** Finds all addresses of a host name. */
export type Resolve = (host: string) => Promise<Address[]>

export const resolveBySystem: Resolve = (host) => lookup(host, { all: true })

/** A connection was refused before it was made, because of where it would have led. */
export class AddressDenied extends Error {
  constructor() {
    super('the address is not public')
    this.name = 'AddressDenied'
  }
}

// What is not in here is not routed in the public net: among others `::/96`, which holds IPv4 addresses in disguise.
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** Whether an address is one of the public net; an IPv4 address in the form of IPv6 counts as what it means. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const meant = ipaddr.process(address)
  if (meant.range() !== 'unicast') return false
  return meant.kind() === 'ipv4' || meant.match(globalUnicast)
}

/** The address that the host of a URL is, or null where it is a name. The URL has brought odd forms into one. */
export function literalAddress({ hostname }: URL): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(bare) === 0 ? null : bare
}

/**
 * Looks a host up for a connection and lets only addresses through that may be reached. It is these that are connected
 * to: the name is not looked up again. One that may not be reached spoils all.
 */
export function guardedLookup(resolve: Resolve, mayReach: (address: string) => boolean): LookupFunction {
  return (host, options, answer) => {
    resolve(host).then(
      (found) => {
        const wanted = found.filter(({ family }) => !options.family || options.family === family)
        const [first] = wanted
        if (!found.every(({ address }) => mayReach(address))) answer(new AddressDenied(), [])
        else if (!first) answer(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), [])
        else if (options.all) answer(null, wanted)
        else answer(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => answer(error, []),
    )
  }
}
