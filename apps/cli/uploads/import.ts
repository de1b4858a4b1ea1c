/** Imports a file as a disk, and makes an image of one. The same command continues after an interruption. */
import { open } from 'node:fs/promises'
import type { Options } from '../commands/local.ts'
import { CliError } from '../errors.ts'
import { apiOf, type Api, type Row } from '../http/api.ts'
import { note, type Io } from '../io.ts'
import { serverFor } from '../profiles/server.ts'
import { headLength, recogniseImage, uploadDoubt } from '@purlin/contract/rules/images/formats'
import { GiB } from '@purlin/contract/rules/limits'
import { tagKeyProblem, tagValueProblem } from '@purlin/contract/rules/tags'
import { factsOf, forgetSent, sentTo, type FileFacts } from './record.ts'
import { transfer, type Target } from './transfer.ts'

interface Import {
  io: Io
  api: Api
  facts: FileFacts
  project: string
  name: string
  description: string
  blockSize: number
  /** The snapshot to make of the disk; none unless given. */
  snapshot?: string
}

async function importOf(io: Io, options: Options): Promise<Import> {
  const {
    project,
    name,
    description = '',
    file,
    blockSize = '512',
  } = options as Record<string, string | undefined>
  const facts = factsOf(file ?? '')
  if (facts.size === 0) throw new CliError('usage', `${file} is empty`)
  const api = apiOf(io, await serverFor(io, options['profile'] as string | undefined))
  return {
    io,
    api,
    facts,
    project: project ?? '',
    name: name ?? '',
    description,
    blockSize: Number(blockSize),
  }
}

/** Imports a file as a disk. */
export async function importDisk(io: Io, options: Options): Promise<void> {
  const one = await importOf(io, options)
  const { id } = await bring(one)
  forgetSent(io, String(id))
  await note(io, `Imported disk ${one.name}.`)
}

/**
 * Makes an image of a file: over a disk and a snapshot, whose names follow from that of the image, and which are deleted
 * at the end.
 */
export async function uploadImage(io: Io, options: Options): Promise<void> {
  const image = String(options['name'])
  const name = `upload-${image}`.slice(0, 63).replace(/-+$/, '')
  const kept = keptOf(options)
  const one = { ...(await importOf(io, options)), name, snapshot: name }
  const { api, project } = one
  await sayDoubt(io, one.facts)
  const isMade = (await api.find('imageView', { params: { image }, query: { project } })) !== undefined
  // With the disk of its upload, only the end of an interrupted one is left to do.
  if (isMade && !(await api.find('diskView', { params: { disk: name }, query: { project } })))
    throw new CliError('conflict', `already exists: image "${image}"`)
  const { id } = await bring(one)
  if (!isMade) await createImage(one, { ...options, name: image }, kept)
  await api.call('snapshotDelete', { params: { snapshot: name }, query: { project } })
  await api.call('diskDelete', { params: { disk: String(id) } })
  forgetSent(io, String(id))
  await note(io, `Uploaded image ${image}.`)
}

/** Says of a file that is no disk what it is, before it is sent. */
async function sayDoubt(io: Io, { path, size }: FileFacts): Promise<void> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headLength), 0, headLength, 0)
    const doubt = uploadDoubt(recogniseImage({ bytes: buffer.subarray(0, bytesRead), size }))
    if (doubt !== undefined) await note(io, `${path}: ${doubt}`)
  } finally {
    await file.close()
  }
}

/** Tags and protection of the image: what is wrong with them is said before the file is sent. */
function keptOf({ tags, protected: isProtected }: Options): object {
  return {
    ...(tags === undefined ? {} : { tags: tagsIn(String(tags)) }),
    ...(isProtected === true || isProtected === 'true' ? { protected: true } : {}),
  }
}

function tagsIn(text: string): Row {
  const tags = objectIn(text)
  if (!tags) throw new CliError('usage', '--tags: give an object of texts, such as {"env": "prod"}')
  for (const [key, value] of Object.entries(tags)) {
    const problem = tagKeyProblem(key) ?? tagValueProblem(String(value))
    if (problem !== undefined) throw new CliError('usage', `--tags: ${key}: ${problem}`)
  }
  return tags
}

function objectIn(text: string): Row | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : undefined
  } catch {
    return undefined
  }
}

async function createImage(
  { api, project, snapshot = '', description }: Import,
  options: Options,
  kept: object,
): Promise<void> {
  const { id } = await api.call('snapshotView', { params: { snapshot }, query: { project } })
  const { name, os, version } = options
  const source = { type: 'snapshot', id }
  const body = { name, description, os, version, source, ...kept }
  await api.call('imageCreate', { query: { project }, body })
}

const stateOf = (disk: Row): string => (disk['state'] as { state: string }).state

/** Creates the disk, or continues with it, until it has all bytes of the file. */
async function bring(one: Import): Promise<Row> {
  const { api, io, project, name, snapshot } = one
  const found = await api.find('diskView', { params: { disk: name }, query: { project } })
  const disk = found ?? (await create(one))
  const id = String(disk['id'])
  const call = { params: { disk: id } }
  if (stateOf(disk) === 'detached' && sentTo(io, id, one.facts) === one.facts.size) return disk
  const from = await resumeAt(one, { disk, isNew: !found })
  const target: Target = { id, blockSize: Number(disk['block_size']) }
  if (stateOf(disk) === 'import_ready') await api.call('diskBulkWriteImportStart', call)
  await transfer({ io, api, facts: one.facts, target }, from)
  await api.call('diskBulkWriteImportStop', call)
  await api.call('diskFinalizeImport', {
    ...call,
    body: snapshot === undefined ? {} : { snapshot_name: snapshot },
  })
  return disk
}

function create({ api, facts, project, name, description, blockSize }: Import): Promise<Row> {
  const size = Math.ceil(facts.size / GiB) * GiB
  const source = { type: 'importing_blocks', block_size: blockSize }
  return api.call('diskCreate', {
    query: { project },
    body: { name, description, size, disk_source: source },
  })
}

/** Where to continue. A disk that is no interrupted upload of this file is left alone. */
async function resumeAt(
  { io, facts, name }: Import,
  { disk, isNew }: { disk: Row; isNew: boolean },
): Promise<number> {
  if (isNew) return 0
  const sent = sentTo(io, String(disk['id']), facts)
  const isImporting = ['import_ready', 'importing_from_bulk_writes'].includes(stateOf(disk))
  if (!isImporting || sent === undefined)
    throw new CliError('conflict', `disk "${name}" exists, and is no interrupted upload of this file`)
  if (sent > 0) await note(io, `Continuing after ${Math.floor((100 * sent) / facts.size)}%.`)
  return sent
}
