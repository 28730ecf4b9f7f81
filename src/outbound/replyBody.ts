import { TextDecoder } from 'node:util'
/** A reply is larger than what is accepted. */
export class TooLarge extends Error {
  constructor() {
    super('the reply is too large')
    this.name = 'TooLarge'
  }
}

/**
 * Reads a body up to a size, unpacked.
 * @throws TooLarge as soon as it is passed; what was not read yet is left
 */
export async function readBody(body: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  // Leaving the loop cancels the stream, and with it the exchange.
  for await (const part of body ?? []) {
    size += part.byteLength
    if (size > maxBytes) throw new TooLarge()
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** The text of a body in the charset that its type names, else UTF-8; what cannot be read or stored becomes U+FFFD. */
export function decodeBody(body: Uint8Array, contentType: string): string {
  return decoderOf(contentType).decode(body).replaceAll('\0', '\uFFFD')
}

function decoderOf(contentType: string): TextDecoder {
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(contentType)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder()
  }
}

/** Whether the type is JSON: `application/json`, `text/json`, or any with the suffix `+json`. */
export function isJsonType(contentType: string): boolean {
  return /^\s*[\w.+-]+\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType)
}
