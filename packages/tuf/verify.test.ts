/** The verification in a browser must agree with the one in Node. `packages/core` tests the rules through the API. */
import * as node from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { canonicalize } from '@tufjs/canonical-json'
import { expect, it } from 'vitest'
import * as web from './web.ts'
import { openZip, textOf } from './zip.ts'

const folder = new URL('fixtures/', import.meta.url)

interface Document {
  signed: { keys?: Record<string, { keyval: { public: string } }> }
  signatures: { keyid: string; sig: string }[]
}

/** The metadata of the fixtures, and with it the root documents on their own. */
async function documents(): Promise<Document[]> {
  const texts = globSync('*.json', { cwd: folder }).map((name) => readFileSync(new URL(name, folder), 'utf8'))
  for (const name of globSync('**/*.zip', { cwd: folder })) {
    const bytes = new Uint8Array(readFileSync(new URL(name, folder)))
    const read = async (offset: number, length: number) => bytes.slice(offset, offset + length)
    const files = await openZip({ size: bytes.length, read }).catch(() => new Map<string, never>())
    for (const file of files.values())
      if (/^metadata\/\d/.test(file.name)) texts.push((await textOf(file, 1e6)).toString())
  }
  return texts.flatMap((text) => {
    try {
      return [JSON.parse(text) as Document]
    } catch {
      return []
    }
  })
}

const outcome = (work: () => boolean): string => {
  try {
    return String(work())
  } catch {
    // The packages of TUF take an error for a signature that does not fit.
    return 'false'
  }
}

it('every signature of the fixtures is judged as by Node, with the right key and with others', async () => {
  const all = await documents()
  const keys = new Map(all.flatMap(({ signed }) => Object.entries(signed.keys ?? {})))
  const answers = new Map<string, number>()
  for (const { signed, signatures } of all) {
    const data = Buffer.from(canonicalize(signed))
    for (const { sig } of signatures)
      for (const { keyval } of keys.values()) {
        const key = keyval.public.startsWith('-----')
          ? keyval.public
          : ({
              key: Buffer.from(`302a300506032b6570032100${keyval.public}`, 'hex'),
              format: 'der',
              type: 'spki',
            } as const)
        const signature = Buffer.from(sig, 'hex')
        const inNode = outcome(() =>
          node.verify(undefined, data, { key: node.createPublicKey(key) }, signature),
        )
        expect(outcome(() => web.verify(undefined, data, { key: web.createPublicKey(key) }, signature))).toBe(
          inNode,
        )
        answers.set(inNode, (answers.get(inNode) ?? 0) + 1)
      }
  }
  expect(answers.get('true')).toBeGreaterThan(50)
  expect(answers.get('false')).toBeGreaterThan(500)
})

it('hashes, bytes and comparisons are those of Node', () => {
  const data = new TextEncoder().encode('purlin')
  for (const name of ['sha256', 'sha512'])
    expect(web.createHash(name).update(data).digest()).toBe(node.createHash(name).update(data).digest('hex'))
  expect(() => web.createHash('md5')).toThrow('unknown hash md5')
  for (const text of ['00ff', '0', 'zz', '00zz', 'ABCDEF'])
    expect([...web.WebBuffer.from(text, 'hex')]).toEqual([...Buffer.from(text, 'hex')])
  const joined = web.WebBuffer.concat([web.WebBuffer.from('a'), web.WebBuffer.from([98])])
  expect([joined.toString(), joined.equals(web.WebBuffer.from('ab')), joined.equals(data)]).toEqual([
    'ab',
    true,
    false,
  ])
  expect(web.isDeepStrictEqual({ a: [1, { b: null }] }, { a: [1, { b: null }] })).toBe(true)
  for (const [one, other] of [
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { b: 1 }],
    [{}, { a: undefined }],
    [null, {}],
  ])
    expect(web.isDeepStrictEqual(one, other)).toBe(false)
  const rsa = node
    .generateKeyPairSync('rsa', { modulusLength: 2048 })
    .publicKey.export({ type: 'spki', format: 'pem' })
  expect(() => web.createPublicKey(String(rsa))).toThrow('cannot verify keys of this kind')
})
