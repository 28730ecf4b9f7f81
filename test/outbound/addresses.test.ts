import { describe, expect, it } from 'vitest'
import { guardedLookup, isPublicAddress, literalAddress } from '../../src/outbound/addresses.js'

describe('addresses', () => {
  it('are public only in the public net, whatever form they come in', () => {
    const inside = [
      '127.0.0.1',
      '10.1.2.3',
      '172.16.0.1',
      '192.168.0.1',
      '169.254.169.254',
      '100.100.100.200',
      '0.0.0.0',
      '224.0.0.1',
      '255.255.255.255',
      '198.18.0.1',
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::127.0.0.1',
      '64:ff9b::a9fe:a9fe',
      'fe80::1',
      'fd00::1',
      'fec0::1',
      '2002:7f00:1::',
      '2001:db8::1',
      'ff02::1',
      'no address',
    ]
    expect(inside.filter(isPublicAddress)).toEqual([])
    const outside = ['8.8.8.8', '1.1.1.1', '::ffff:8.8.8.8', '2606:4700:4700::1111']
    expect(outside.filter(isPublicAddress)).toEqual(outside)
  })

  it('are found in URLs in every spelling', () => {
    const spellings = ['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '①②⑦.⓪.⓪.①']
    for (const host of spellings) expect(literalAddress(new URL(`http://${host}/`))).toBe('127.0.0.1')
    expect(literalAddress(new URL('http://[::FFFF:127.0.0.1]/'))).toBe('::ffff:7f00:1')
    expect(literalAddress(new URL('http://public.test/'))).toBeNull()
  })

  it('are looked up once for a connection, and one that is not public spoils all', async () => {
    const found = [
      { address: '8.8.8.8', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ]
    const look = (all: typeof found, options: { all?: boolean; family?: number }) =>
      new Promise((resolve) =>
        guardedLookup(async () => all, isPublicAddress)('a.test', options, (error, address, family) =>
          resolve(error ? error.name : [address, family]),
        ),
      )
    expect(await look(found, { all: true })).toBe('AddressDenied')
    expect(await look(found, {})).toBe('AddressDenied')
    expect(await look(found.slice(0, 1), { all: true })).toEqual([found.slice(0, 1), undefined])
    expect(await look(found.slice(0, 1), {})).toEqual(['8.8.8.8', 4])
    expect(await look(found.slice(0, 1), { family: 6 })).toBe('Error')
  })
})
