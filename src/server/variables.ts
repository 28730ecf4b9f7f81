import { z } from 'zod'

/** One environment variable: its name, the text it has by default, what it may be, and what it is for. */
export interface Variable<T> {
  name: string
  /** The default as one would write it; null where the default follows from other variables or there is none. */
  fallback: string | null
  /** What is accepted, in words: it completes "give …". */
  allowed: string
  description: string
  /** True where the value must not be printed. */
  secret: boolean
  parse: z.ZodType<T>
}

type Facts = { fallback: string | null; description: string }

/** A whole number within limits. */
export function integer(name: string, limits: { min: number; max: number }, facts: Facts): Variable<number> {
  const { min, max } = limits
  return {
    name,
    ...facts,
    allowed: `a whole number from ${min} to ${max}`,
    secret: false,
    parse: z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number)
      .pipe(z.number().min(min).max(max)),
  }
}

/** A number of seconds, fractions allowed; read as milliseconds. */
export function seconds(name: string, limits: { min: number; max: number }, facts: Facts): Variable<number> {
  const { min, max } = limits
  return {
    name,
    ...facts,
    allowed: `a number of seconds from ${min} to ${max}`,
    secret: false,
    parse: z
      .string()
      .regex(/^\d{1,9}(\.\d{1,3})?$/)
      .transform(Number)
      .pipe(z.number().min(min).max(max))
      .transform((value) => Math.round(value * 1000)),
  }
}

/** `true` or `false`. */
export function flag(name: string, facts: Facts): Variable<boolean> {
  return {
    name,
    ...facts,
    allowed: 'true or false',
    secret: false,
    parse: z.enum(['true', 'false']).transform((value) => value === 'true'),
  }
}

/** One of a few words. */
export function choice<const T extends string>(name: string, words: readonly T[], facts: Facts): Variable<T> {
  return { name, ...facts, allowed: `one of ${words.join(', ')}`, secret: false, parse: z.enum(words) }
}

/** Free text that satisfies a pattern described by `allowed`. */
export function text(
  name: string,
  pattern: RegExp,
  facts: Facts & { allowed: string; secret?: boolean },
): Variable<string> {
  return { name, secret: false, ...facts, parse: z.string().regex(pattern) }
}

/** A comma list of web origins, such as `https://app.example.com`. */
export function origins(name: string, facts: Facts): Variable<string[]> {
  const allowed = 'a comma list of origins such as https://app.example.com, without path and without *'
  return list(name, isOrigin, { ...facts, allowed })
}

/** A comma list of hosts, each with its port or for all of them. */
export function hosts(name: string, facts: Facts): Variable<string[]> {
  const allowed = 'a comma list of hosts such as erp.internal or erp.internal:8080, without * and without scheme'
  return list(name, isHost, { ...facts, allowed })
}

function list(name: string, isItem: (item: string) => boolean, facts: Facts & { allowed: string }): Variable<string[]> {
  return {
    name,
    ...facts,
    secret: false,
    parse: z
      .string()
      .transform((text) =>
        text
          .split(',')
          .map((item) => item.trim())
          .filter((item) => item !== ''),
      )
      .refine((items) => items.every(isItem)),
  }
}

/** A name or an address in the form that URLs have it in: another spelling would never match. */
function isHost(value: string): boolean {
  if (!URL.canParse(`http://${value}/`) || /[/@?#*\s]/.test(value)) return false
  const { hostname } = new URL(`http://${value}/`)
  const name = value.toLowerCase().replace(/:\d+$/, '')
  return name === hostname && !name.endsWith('.')
}

function isOrigin(value: string): boolean {
  return URL.canParse(value) && /^https?:/.test(value) && new URL(value).origin === value
}
