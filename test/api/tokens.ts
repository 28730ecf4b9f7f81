import { exportSPKI, generateKeyPair, SignJWT } from 'jose'

/** A key pair, the environment of a server that trusts it, and the way to make tokens with it. */
export async function createIssuer() {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  return {
    environment: {
      AUTH_MODE: 'jwt',
      JWT_PUBLIC_KEY: await exportSPKI(publicKey),
      JWT_ISSUER: 'https://login.example.com',
      JWT_AUDIENCE: 'countersign',
    },
    /** @param seconds how long it is valid; negative: it has expired */
    sign: (userId: string, seconds: number, claims: { [name: string]: unknown } = {}, audience = 'countersign') =>
      new SignJWT({ groups: ['staff'], permissions: ['operate'], ...claims })
        .setProtectedHeader({ alg: 'ES256' })
        .setSubject(userId)
        .setIssuer('https://login.example.com')
        .setAudience(audience)
        .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
        .sign(privateKey),
  }
}
