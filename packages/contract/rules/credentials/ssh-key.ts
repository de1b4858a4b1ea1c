/** SSH public keys: one line in the format of OpenSSH (RFC 4253, section 6.6). */
import { fromBase64 } from '#/wire.ts'
import { limits } from '../limits.ts'

/** Returns the problem with one field of a key, or undefined. */
type Field = (data: Uint8Array) => string | undefined

const broken = 'the key is damaged: its data does not have the form of its type'
const sized =
  (length: number): Field =>
  (data) =>
    data.length === length ? undefined : broken
const filled: Field = (data) => (data.length > 0 ? undefined : broken)
const literal =
  (text: string): Field =>
  (data) =>
    asciiOf(data) === text ? undefined : broken
const smallestRsa = 2048

// The data after the type, for each kind of key. Curve points are uncompressed.
const layouts = new Map<string, readonly Field[]>([
  ['ssh-ed25519', [sized(32)]],
  ['ssh-rsa', [filled, rsaModulus]],
  ['ecdsa-sha2-nistp256', [literal('nistp256'), sized(65)]],
  ['ecdsa-sha2-nistp384', [literal('nistp384'), sized(97)]],
  ['ecdsa-sha2-nistp521', [literal('nistp521'), sized(133)]],
  ['sk-ssh-ed25519@openssh.com', [sized(32), filled]],
  ['sk-ecdsa-sha2-nistp256@openssh.com', [literal('nistp256'), sized(65), filled]],
])

/** The types of keys that are accepted. */
export const sshKeyTypes: readonly string[] = [...layouts.keys()]

/**
 * The problem with the text of a public key, or undefined. Space around the line is ignored. The expected form is
 * `TYPE BASE64 [COMMENT]`.
 */
export function sshKeyProblem(text: string): string | undefined {
  const line = text.trim()
  if (line === '') return 'a public key is needed'
  if (/PRIVATE KEY|PuTTY-User-Key-File/.test(line))
    return 'this is a private key: keep it secret and give the public key instead, usually the file that ends with .pub'
  if (/[\r\n]/.test(line)) return 'a public key is a single line: type, key and an optional comment'
  if (line.length > limits.sshKey.publicKey)
    return `a public key may contain at most ${limits.sshKey.publicKey} characters, this one has ${line.length}`
  const [type = '', base64] = line.split(/[ \t]+/)
  const layout = layouts.get(type)
  if (!layout) return `a public key begins with its type, one of ${sshKeyTypes.join(', ')}`
  if (base64 === undefined) return `the key itself is missing after "${type}"`
  return dataProblem(type, layout, base64)
}

function dataProblem(type: string, layout: readonly Field[], base64: string): string | undefined {
  const data = decoded(base64)
  if (!data) return 'the key is damaged: it is not base64'
  const [name, ...fields] = fieldsOf(data) ?? []
  if (!name) return broken
  if (asciiOf(name) !== type) return `the type says "${type}" but the key itself is of another type`
  if (fields.length !== layout.length) return broken
  return layout.map((check, i) => check(fields[i] as Uint8Array)).find((problem) => problem !== undefined)
}

function decoded(base64: string): Uint8Array | undefined {
  try {
    return fromBase64(base64)
  } catch {
    return undefined
  }
}

// The data is a sequence of strings, each preceded by its length in four bytes.
function fieldsOf(data: Uint8Array): Uint8Array[] | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const fields: Uint8Array[] = []
  let at = 0
  while (at < data.length) {
    if (at + 4 > data.length) return undefined
    const end = at + 4 + view.getUint32(at)
    if (end > data.length) return undefined
    fields.push(data.subarray(at + 4, end))
    at = end
  }
  return fields
}

function rsaModulus(data: Uint8Array): string | undefined {
  const first = data.findIndex((byte) => byte !== 0)
  const bits = first < 0 ? 0 : (data.length - first) * 8 - (Math.clz32(data[first] ?? 0) - 24)
  return bits < smallestRsa
    ? `an RSA key needs at least ${smallestRsa} bits, this one has ${bits}`
    : undefined
}

const asciiOf = (data: Uint8Array): string => String.fromCharCode(...data.subarray(0, 64))
