/** Makes self-signed X.509 certificates (RFC 5280), as odd as a test wants them. */
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'

interface Keys {
  publicKey: KeyObject
  privateKey: KeyObject
}
/** What differs from a certificate of a day before now until a year after. */
export interface MadeCertificate {
  commonName?: string
  dnsNames?: readonly string[]
  notBefore?: Date
  notAfter?: Date
  /** Object ids of the extended key usage. */
  purposes?: readonly string[]
  keys?: Keys
}

const dayMs = 24 * 60 * 60_000
const newKeys = (): Keys => generateKeyPairSync('ec', { namedCurve: 'prime256v1' })

/** A certificate and its key in PEM. */
export function makeCertificate(of: MadeCertificate): { cert: string; key: string } {
  const { commonName = 'test', dnsNames = [], purposes = [], keys = newKeys() } = of
  const { notBefore = new Date(Date.now() - dayMs), notAfter = new Date(Date.now() + 365 * dayMs) } = of
  const isRsa = keys.publicKey.asymmetricKeyType === 'rsa'
  const algorithm = isRsa
    ? sequence(objectId('1.2.840.113549.1.1.11'), tagged(0x05))
    : sequence(objectId('1.2.840.10045.4.3.2'))
  const name = sequence(tagged(0x31, sequence(objectId('2.5.4.3'), text(0x0c, commonName))))
  const body = sequence(
    tagged(0xa0, integer(2)),
    integer(Math.ceil(Math.random() * 2 ** 30)),
    algorithm,
    name,
    sequence(time(notBefore), time(notAfter)),
    name,
    keys.publicKey.export({ type: 'spki', format: 'der' }),
    ...extensionsOf(dnsNames, purposes),
  )
  const signature = sign('sha256', body, keys.privateKey)
  const der = sequence(body, algorithm, tagged(0x03, Buffer.from([0]), signature))
  return { cert: pemOf(der), key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string }
}

/** Bytes as a certificate in PEM. */
export function pemOf(der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

function extensionsOf(dnsNames: readonly string[], purposes: readonly string[]): Buffer[] {
  const all = [
    ...(dnsNames.length > 0
      ? [
          extension(
            '2.5.29.17',
            dnsNames.map((name) => text(0x82, name)),
          ),
        ]
      : []),
    ...(purposes.length > 0 ? [extension('2.5.29.37', purposes.map(objectId))] : []),
  ]
  return all.length > 0 ? [tagged(0xa3, sequence(...all))] : []
}

const extension = (id: string, parts: readonly Buffer[]): Buffer =>
  sequence(objectId(id), tagged(0x04, sequence(...parts)))

function tagged(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...head]), content])
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => tagged(0x30, ...parts)
const text = (tag: number, value: string): Buffer => tagged(tag, Buffer.from(value))

function integer(value: number): Buffer {
  const hex = value.toString(16)
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  return (bytes[0] ?? 0) < 0x80 ? tagged(0x02, bytes) : tagged(0x02, Buffer.from([0]), bytes)
}

const time = (at: Date): Buffer => text(0x18, `${at.toISOString().replaceAll(/\D/g, '').slice(0, 14)}Z`)

function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = [40 * first + second, ...rest].flatMap((arc) => {
    const digits = [arc & 0x7f]
    for (let left = arc >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80)
    return digits
  })
  return tagged(0x06, Buffer.from(bytes))
}
