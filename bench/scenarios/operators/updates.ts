/** Uploading a release of 1 GiB: its time, compared with writing and hashing the same file, and the server's memory. */
import { createHash, generateKeyPairSync, randomFillSync, sign, type KeyObject } from 'node:crypto'
import { closeSync, createReadStream, createWriteStream, fsyncSync, openSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipWriter } from '@zip.js/zip.js'
import { MiB } from '@purlin/contract/rules/limits'
import { newFolder } from '@purlin/server/testing/children'
import { responseTo, signIn } from '@purlin/server/testing/requests'
import { median, type Figure, type Pace } from '#/figures.ts'
import { startServer } from '../servers.ts'

const piece = MiB
const version = '1.1.0'

/** `--quick` sends 64 MiB. */
export async function uploadSpeed({ rounds }: Pace): Promise<Figure[]> {
  const bytes = (rounds > 1 ? 1024 : 64) * MiB
  const folder = newFolder()
  try {
    const file = join(folder.path, 'release.zip')
    const trustRoot = await makeRelease(file, bytes)
    const ratios: number[] = []
    const growths: number[] = []
    const seconds: number[] = []
    for (let i = 0; i < Math.max(1, rounds); i++) {
      // In turns, so that both are measured on the same machine.
      const alone = await writeAndHash(file, join(folder.path, 'copy'))
      const { took, growth } = await upload(file, trustRoot)
      ratios.push(took / alone)
      growths.push(growth / 1e6)
      seconds.push(took)
    }
    return [
      { name: 'upload of a release', value: median(seconds) * 1000, unit: 'ms' },
      { name: 'upload, compared with writing and hashing', value: median(ratios), unit: '×' },
      { name: 'growth of memory', value: median(growths), unit: 'MB' },
    ]
  } finally {
    folder.remove()
  }
}

async function writeAndHash(file: string, copy: string): Promise<number> {
  const began = performance.now()
  const hash = createHash('sha256')
  const source = createReadStream(file, { highWaterMark: piece })
  source.on('data', (chunk) => hash.update(chunk))
  await pipeline(source, createWriteStream(copy))
  hash.digest()
  const opened = openSync(copy, 'r+')
  fsyncSync(opened)
  closeSync(opened)
  return (performance.now() - began) / 1000
}

/** Uploads to a new server, because the second upload would find the memory of the first. */
async function upload(file: string, trustRoot: object): Promise<{ took: number; growth: number }> {
  const server = await startServer()
  try {
    const { api, cookie } = await signIn(server.url)
    await api.systemUpdateTrustRootCreate({ query: {}, body: trustRoot })
    const before = server.memory()?.now ?? Number.NaN
    const began = performance.now()
    const path = `${server.url}/v1/system/update/repositories?file_name=release.zip`
    const headers = {
      cookie,
      'content-type': 'application/octet-stream',
      'content-length': statSync(file).size,
    }
    const out = request(path, { method: 'PUT', headers })
    const answered = responseTo(out)
    await pipeline(createReadStream(file, { highWaterMark: piece }), out)
    const answer = await answered
    const text = (await answer.toArray()).join('')
    if (answer.statusCode !== 200) throw new Error(`upload: ${answer.statusCode} ${text}`)
    const took = (performance.now() - began) / 1000
    return { took, growth: (server.memory()?.peak ?? Number.NaN) - before }
  } finally {
    await server.stop()
  }
}

/** Keys of the roles of a repository, which all have one. */
const roles = ['root', 'timestamp', 'snapshot', 'targets'] as const
const far = '2040-01-01T00:00:00Z'

/** The canonical form of JSON (OLPC) of what metadata has: no text in it needs an escape. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join(',')}}`
}

/** Writes a repository with one artifact of random bytes; returns the root document that it is signed by. */
async function makeRelease(file: string, bytes: number): Promise<object> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex')
  const key = { keytype: 'ed25519', scheme: 'ed25519', keyval: { public: raw } }
  const keyid = sha256(canonical(key))
  const signed = (role: string, more: object) =>
    document({ _type: role, spec_version: '1.0.31', version: 1, expires: far, ...more }, keyid, privateKey)
  const root = signed('root', {
    consistent_snapshot: false,
    keys: { [keyid]: key },
    roles: Object.fromEntries(roles.map((role) => [role, { keyids: [keyid], threshold: 1 }])),
  })
  const hash = createHash('sha256')
  for (const chunk of randomPieces(bytes)) hash.update(chunk)
  const digest = hash.digest('hex')
  const artifact = { name: 'host', version, kind: 'host_os', target: 'host.tar', sha256: digest }
  const artifacts = JSON.stringify({ system_version: version, artifacts: [artifact] })
  const targets = signed('targets', {
    targets: {
      'host.tar': { length: bytes, hashes: { sha256: digest } },
      'artifacts.json': { length: artifacts.length, hashes: { sha256: sha256(artifacts) } },
    },
  })
  const snapshot = signed('snapshot', { meta: { 'targets.json': { version: 1 } } })
  const timestamp = signed('timestamp', { meta: { 'snapshot.json': { version: 1 } } })
  const zip = new ZipWriter(Writable.toWeb(createWriteStream(file)), { level: 0 })
  for (const [name, text] of Object.entries({ root, targets, snapshot, timestamp }))
    await zip.add(`metadata/${name}.json`, streamOf([Buffer.from(JSON.stringify(text))]))
  await zip.add('targets/artifacts.json', streamOf([Buffer.from(artifacts)]))
  await zip.add('targets/host.tar', streamOf(randomPieces(bytes)))
  await zip.close()
  return root
}

function streamOf(pieces: Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const left = pieces[Symbol.iterator]()
  return new ReadableStream({
    pull(controller) {
      const next = left.next()
      if (next.done) controller.close()
      else controller.enqueue(next.value)
    },
  })
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const document = (content: object, keyid: string, key: KeyObject) => ({
  signed: content,
  signatures: [{ keyid, sig: sign(null, Buffer.from(canonical(content)), key).toString('hex') }],
})

const random = randomFillSync(Buffer.alloc(piece))

/** The same random piece with another number in front, so that two are never the same. */
function* randomPieces(bytes: number): Generator<Buffer> {
  for (let i = 0; i < bytes / piece; i++) {
    const one = Buffer.from(random)
    one.writeUInt32BE(i)
    yield one
  }
}
