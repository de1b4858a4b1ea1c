/**
 * Verifies repositories of The Update Framework. The client workflow (TUF 1.0, section 5) is that of tuf-js; this module
 * gives it the files of a zip in place of a network.
 */
import { versionProblem } from '@purlin/contract/rules/versions'
import {
  RepositoryRefused,
  type Artifact,
  type KnownMetadata,
  type RepositoryVerifier,
  type Sha256,
  type TrustRoot,
  type VerifiedRepository,
} from '@purlin/core/ports'
import type { TargetFile } from '@tufjs/models'
import { EqualVersionError } from 'tuf-js/dist/error.js'
import { TrustedMetadataStore } from 'tuf-js/dist/store.js'
import { metadataReason } from './reasons.ts'
import { openZip, textOf, type ZipFile } from './zip.ts'

const KiB = 1024
const listName = 'artifacts.json'
/** Bytes of each file and of all targets together, root documents, and artifacts. */
const most = {
  root: 512 * KiB,
  timestamp: 16 * KiB,
  snapshot: 256 * KiB,
  targets: 4096 * KiB,
  list: 1024 * KiB,
  unpacked: 16 * KiB ** 3,
  roots: 100,
  artifacts: 1000,
}

type Files = Map<string, ZipFile>
type Targets = Map<string, { file: ZipFile; info: TargetFile }>
interface Trusted {
  trustRootId: string
  store: TrustedMetadataStore
}
interface Root {
  version: number
  text: Buffer
}

/** The verifier. Nothing is kept between two calls. */
export const tufVerifier: RepositoryVerifier = {
  async checkRoot(document) {
    attempt('Unable to verify root role: the document', () => new TrustedMetadataStore(Buffer.from(document)))
  },

  async verify(zip, { roots, now, known, sha256 }) {
    const files = await openZip(zip)
    const { store, trustRootId } = trustedBy(roots, await rootsIn(files))
    Object.assign(store, { referenceTime: new Date(now) })
    const rootVersion = store.root.signed.version
    if (known?.trustRootId === trustRootId && rootVersion < known.rootVersion)
      throw new RepositoryRefused(
        `its root document ${rootVersion} is older than ${known.rootVersion}, which is known`,
      )
    const metadata = await readMetadata(store, files, known)
    const targets = targetsIn(store, files)
    const [unlisted] = files.keys()
    if (unlisted !== undefined) throw new RepositoryRefused(`its metadata does not list the file ${unlisted}`)
    for (const { file, info } of targets.values()) await verifyTarget(file, info, sha256())
    return { trustRootId, rootVersion, ...metadata, ...(await readArtifacts(targets)) }
  },
}

/** Runs a step of the workflow, whose errors become reasons about a document. */
function attempt<T>(subject: string, step: () => T): T {
  try {
    return step()
  } catch (error) {
    if (error instanceof RepositoryRefused) throw error
    throw new RepositoryRefused(metadataReason(subject, error))
  }
}

function take(files: Files, name: string): ZipFile {
  const file = files.get(name)
  if (!file) throw new RepositoryRefused(`${name} is missing`)
  files.delete(name)
  return file
}

const rootName = /^metadata\/(?:([1-9]\d{0,8})\.)?root\.json$/

/** The root documents in the order of their versions, which must have no gap. */
async function rootsIn(files: Files): Promise<Root[]> {
  const names = [...files.keys()].filter((name) => rootName.test(name))
  if (names.length === 0) throw new RepositoryRefused('metadata/root.json is missing')
  if (names.length > most.roots) throw new RepositoryRefused(`it has more than ${most.roots} root documents`)
  const byVersion = new Map<number, Buffer>()
  for (const name of names) {
    const text = await textOf(take(files, name), most.root)
    const version = attempt(name, () => versionOf(text))
    const number = rootName.exec(name)?.[1]
    if (number !== undefined && Number(number) !== version)
      throw new RepositoryRefused(`${name} has version ${version}`)
    const other = byVersion.get(version)
    if (other && !other.equals(text))
      throw new RepositoryRefused(`it has two root documents of version ${version}`)
    byVersion.set(version, text)
  }
  const roots = [...byVersion]
    .map(([version, text]) => ({ version, text }))
    .toSorted((a, b) => a.version - b.version)
  for (const [i, { version }] of roots.entries()) {
    const before = roots[i - 1]
    if (before && version !== before.version + 1)
      throw new RepositoryRefused(`root document ${before.version + 1} is missing`)
  }
  return roots
}

function versionOf(text: Buffer): number {
  const { signed } = JSON.parse(text.toString('utf8')) as { signed?: { version?: unknown } }
  const version = signed?.version
  if (!Number.isSafeInteger(version)) throw new Error('version must be a number')
  return Number(version)
}

/**
 * The root that the chain continues, with every newer document of the chain applied. Throws the reason if none does; of
 * several roots, that of the newest.
 */
function trustedBy(roots: readonly TrustRoot[], chain: readonly Root[]): Trusted {
  const stores = roots
    .map(({ id, document }) => ({ trustRootId: id, store: new TrustedMetadataStore(Buffer.from(document)) }))
    .filter(({ store }) => isContinued(store, chain))
    .toSorted((a, b) => a.store.root.signed.version - b.store.root.signed.version)
  let reason = 'no trust root is a root of this repository'
  for (const trusted of stores) {
    const problem = continueWith(trusted.store, chain)
    if (problem === undefined) return trusted
    reason = problem
  }
  throw new RepositoryRefused(`not signed by a trust root: ${reason}`)
}

/** Whether a chain has the trusted root, or begins after it. */
function isContinued(store: TrustedMetadataStore, chain: readonly Root[]): boolean {
  const { version } = store.root.signed
  const same = chain.find((root) => root.version === version)
  return same ? isSameRoot(store, same.text) : chain[0]?.version === version + 1
}

/** Applies the newer documents of a chain. Returns the reason if one is refused. */
function continueWith(store: TrustedMetadataStore, chain: readonly Root[]): string | undefined {
  const { version } = store.root.signed
  try {
    for (const root of chain)
      if (root.version > version) attempt(`root document ${root.version}`, () => store.updateRoot(root.text))
    return undefined
  } catch (error) {
    if (error instanceof RepositoryRefused) return error.message
    throw error
  }
}

/** Whether a document has the content of the trusted root. Signatures and the layout of the text may differ. */
function isSameRoot(store: TrustedMetadataStore, text: Buffer): boolean {
  const other = attempt('root document', () => new TrustedMetadataStore(text))
  return store.root.signed.equals(other.root.signed)
}

/** Reads timestamp and snapshot, neither older than those that are known. Returns their texts. */
async function readMetadata(store: TrustedMetadataStore, files: Files, known: KnownMetadata | undefined) {
  if (known) remember(() => store.updateTimestamp(Buffer.from(known.timestamp)))
  const timestamp = await textOf(take(files, 'metadata/timestamp.json'), most.timestamp)
  attempt('timestamp.json', () => updateTimestamp(store, timestamp, known?.timestamp))
  const version = store.timestamp?.signed.snapshotMeta.version
  if (known) remember(() => store.updateSnapshot(Buffer.from(known.snapshot), true))
  const snapshot = await textOf(take(files, nameOf(files, 'snapshot', version)), most.snapshot)
  attempt('snapshot.json', () => store.updateSnapshot(snapshot))
  const ofTargets = store.snapshot?.signed.meta['targets.json']?.version
  const targets = await textOf(take(files, nameOf(files, 'targets', ofTargets)), most.targets)
  attempt('targets.json', () => store.updateDelegatedTargets(targets, 'targets', 'root'))
  return { timestamp: timestamp.toString('utf8'), snapshot: snapshot.toString('utf8') }
}

/** The known metadata may have expired, and its keys may have been replaced: then it says nothing about the new one. */
function remember(step: () => unknown): void {
  try {
    step()
  } catch {
    // Even if it has expired, the newer one is compared with it.
  }
}

/** A version may come again, but only with the same content. */
function updateTimestamp(store: TrustedMetadataStore, text: Buffer, known: string | undefined): void {
  try {
    store.updateTimestamp(text)
  } catch (error) {
    if (!(error instanceof EqualVersionError)) throw error
    if (text.toString('utf8') !== known)
      throw new RepositoryRefused('the version of timestamp.json is known with other content')
  }
}

/** With consistent snapshots, the version is in the name. */
const nameOf = (files: Files, role: string, version: number | undefined): string => {
  const versioned = `metadata/${version}.${role}.json`
  return files.has(versioned) ? versioned : `metadata/${role}.json`
}

/** The file of each target. */
function targetsIn(store: TrustedMetadataStore, files: Files): Targets {
  const found: Targets = new Map()
  let unpacked = 0
  for (const [path, info] of Object.entries(store.targets?.signed.targets ?? {})) {
    const hash = info.hashes['sha256'] ?? ''
    if (!/^[0-9a-f]{64}$/.test(hash)) throw new RepositoryRefused(`target ${path} has no SHA-256`)
    unpacked += info.length
    if (!(unpacked <= most.unpacked)) throw new RepositoryRefused('its targets are too large')
    const slash = path.lastIndexOf('/') + 1
    const hashed = `targets/${path.slice(0, slash)}${hash}.${path.slice(slash)}`
    found.set(path, { file: take(files, files.has(hashed) ? hashed : `targets/${path}`), info })
  }
  return found
}

async function verifyTarget(file: ZipFile, info: TargetFile, sha256: Sha256): Promise<void> {
  const { path, length, hashes } = info
  if (file.size !== length)
    throw new RepositoryRefused(`target ${path} has ${file.size} bytes instead of ${length}`)
  for await (const piece of file.content()) sha256.update(piece)
  const hash = sha256.hex()
  if (hash !== hashes['sha256'])
    throw new RepositoryRefused(`target ${path} has the hash ${hash} instead of ${hashes['sha256']}`)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Reads the target that says of which release the repository is, and which artifacts it has. */
async function readArtifacts(
  targets: Targets,
): Promise<Pick<VerifiedRepository, 'systemVersion' | 'artifacts'>> {
  const file = targets.get(listName)?.file
  if (!file) throw new RepositoryRefused(`target ${listName} is missing`)
  const text = await textOf(file, most.list)
  const list: unknown = attempt(listName, () => JSON.parse(text.toString('utf8')))
  const { system_version: systemVersion, artifacts } = isObject(list) ? list : {}
  const problem = typeof systemVersion === 'string' ? versionProblem(systemVersion) : 'it is not a text'
  if (typeof systemVersion !== 'string' || problem !== undefined)
    throw new RepositoryRefused(`${listName}: system_version: ${problem}`)
  if (!Array.isArray(artifacts) || artifacts.length > most.artifacts)
    throw new RepositoryRefused(`${listName}: artifacts is not a list of at most ${most.artifacts}`)
  const found = artifacts.map((one: unknown, i) =>
    artifactOf(one, { targets, where: `${listName}: artifacts[${i}]` }),
  )
  const names = new Set(found.map(({ kind, name, version }) => JSON.stringify([kind, name, version])))
  if (names.size < found.length) throw new RepositoryRefused(`${listName}: an artifact is listed twice`)
  return { systemVersion, artifacts: found }
}

const word = /^[\w.+-]{1,63}$/

function artifactOf(one: unknown, { targets, where }: { targets: Targets; where: string }): Artifact {
  const { name, version, kind, target, sha256 } = isObject(one) ? one : {}
  for (const [field, value] of Object.entries({ name, version, kind }))
    if (typeof value !== 'string' || !word.test(value))
      throw new RepositoryRefused(`${where}.${field} is not a word of at most 63 characters`)
  const info = targets.get(String(target))?.info
  const hash = info?.hashes['sha256']
  if (!info || hash === undefined)
    throw new RepositoryRefused(`${where}.target is no target of the repository`)
  if (sha256 !== undefined && sha256 !== hash)
    throw new RepositoryRefused(`${where}.sha256 is not that of its target`)
  return { name: String(name), version: String(version), kind: String(kind), hash, size: info.length }
}
