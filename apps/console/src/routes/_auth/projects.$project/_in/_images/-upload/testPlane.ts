/** Stands in for the control plane where uploads are tested: it keeps states and bytes, and fails as it is told. */
import type { OpShape } from '@purlin/contract/op'
import { ApiError, nameOf } from '../../../../../../send.ts'
import type { Post } from '../../../../../../parts/disk/endImport.ts'

interface Args {
  params?: Record<string, string>
  query?: object
  body?: Record<string, unknown>
}
type Kind = 'disks' | 'snapshots' | 'images'
interface Thing {
  id: string
  name: string
  state: { state: string }
  [key: string]: unknown
}
/** Called before a call is answered; what it throws is the answer. */
type Before = (call: string, args: Args) => unknown

const refuse = (status: number, message = 'refused', code?: string) =>
  new ApiError('call', status, { message, ...(code ? { code } : {}) })
const taken = (kind: Kind, name: string) =>
  refuse(400, `already exists: ${kind.slice(0, -1)} "${name}"`, 'ObjectAlreadyExists')
export const serverError = (): ApiError => refuse(500, 'inside')
export const lostConnection = (): Error => new TypeError('Failed to fetch')

export function testPlane() {
  const things: Record<Kind, Thing[]> = { disks: [], snapshots: [], images: [] }
  /** What was written into each disk, by its id and the offset. */
  const written = new Map<string, Map<number, string>>()
  // Images outlive both.
  const snapshotDisks = new Map<string, string>()
  const calls: string[] = []
  let before: Before = () => undefined
  let ids = 0

  const find = (kind: Kind, key = ''): Thing => {
    const found = things[kind].find(({ id, name }) => key === id || key === name)
    if (!found) throw refuse(404, `not found: ${key}`)
    return found
  }
  const make = (kind: Kind, fields: Record<string, unknown>): Thing => {
    if (things[kind].some(({ name }) => name === fields['name'])) throw taken(kind, String(fields['name']))
    const thing = { id: `id-${++ids}`, state: { state: 'ready' }, ...fields } as Thing
    things[kind].push(thing)
    return thing
  }
  const move = (key: string | undefined, from: string, to: string): Thing => {
    const disk = find('disks', key)
    if (disk.state.state !== from) throw refuse(400, `cannot leave ${disk.state.state}`)
    disk.state = { state: to }
    return disk
  }
  const remove = (kind: Kind, key: string | undefined) => {
    const thing = find(kind, key)
    if (kind === 'disks' && thing.state.state !== 'detached') throw refuse(400, 'cannot be deleted')
    things[kind] = things[kind].filter((one) => one !== thing)
  }
  const open = 'importing_from_bulk_writes'
  const answers: Record<string, (args: Args) => unknown> = {
    'POST /v1/disks': ({ body }) => make('disks', { ...body, state: { state: 'import_ready' } }),
    'GET /v1/disks/{disk}': ({ params }) => structuredClone(find('disks', params?.['disk'])),
    'POST /v1/disks/{disk}/bulk-write-start': ({ params }) => move(params?.['disk'], 'import_ready', open),
    'POST /v1/disks/{disk}/bulk-write': ({ params, body }) => {
      const { id } = move(params?.['disk'], open, open)
      const blocks = written.get(id) ?? new Map<number, string>()
      written.set(id, blocks.set(Number(body?.['offset']), String(body?.['base64EncodedData'])))
    },
    'POST /v1/disks/{disk}/bulk-write-stop': ({ params }) => move(params?.['disk'], open, 'import_ready'),
    'POST /v1/disks/{disk}/finalize': ({ params, body }) => {
      const disk = move(params?.['disk'], 'import_ready', 'detached')
      if (body?.['snapshotName'] !== undefined)
        snapshotDisks.set(make('snapshots', { name: body['snapshotName'], disk: disk.id }).id, disk.id)
    },
    'DELETE /v1/disks/{disk}': ({ params }) => remove('disks', params?.['disk']),
    'GET /v1/snapshots/{snapshot}': ({ params }) => find('snapshots', params?.['snapshot']),
    'DELETE /v1/snapshots/{snapshot}': ({ params }) => remove('snapshots', params?.['snapshot']),
    'POST /v1/images': ({ body }) => make('images', { ...body }),
    'GET /v1/images/{image}': ({ params }) => find('images', params?.['image']),
    'DELETE /v1/images/{image}': ({ params }) => remove('images', params?.['image']),
  }

  return {
    post: postTo(async (call, args, signal) => {
      calls.push(call)
      await Promise.race([before(call, args), aborted(signal)])
      signal?.throwIfAborted()
      const answer = answers[call]
      if (!answer) throw new Error(`no answer to ${call}`)
      return answer(args)
    }),
    things,
    /** The pieces that an image holds, by offset. What is not among them are zeros. */
    piecesOf: (image: string): ReadonlyMap<number, string> => {
      const { source } = find('images', image) as { source?: { id?: string } }
      return written.get(String(snapshotDisks.get(source?.id ?? ''))) ?? new Map<number, string>()
    },
    calls,
    /** Runs something before every call from now on. */
    intercept: (next: Before) => void (before = next),
  }
}

function postTo(answer: (call: string, args: Args, signal?: AbortSignal) => Promise<unknown>): Post {
  const send = (op: OpShape, args: Args, signal?: AbortSignal) => answer(nameOf(op), args, signal)
  const sendIfThere = (...args: Parameters<typeof send>) =>
    send(...args).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return undefined
      throw error
    })
  return { send, sendIfThere } as unknown as Post
}

const aborted = (signal?: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
