/** Packs the files of a support bundle, in bounded memory and time, whatever their sources do. */
import { bundleLimits } from '@purlin/contract/rules/support-bundles'
import type { World } from '#/context.ts'
import { bytesOf, inPieces } from '#/bytes.ts'
import { isOutage } from '#/db/engine.ts'
import type { MadeFile } from '#/ports.ts'
import { bundlesOf } from '#/resources/bundles/bundle-files.ts'

/** The time that a source may take for its next bytes. */
const patienceMs = 20_000

/** The bundle is no longer wanted here: it was deleted, another server has it, or this one ends. */
export class Interrupted extends Error {
  override name = 'Interrupted'
}

/** A bundle cannot be made. The message is the reason, for people. */
export class CannotCollect extends Error {
  override name = 'CannotCollect'
}

/** An attempt to collect a bundle. */
export interface Attempt {
  world: World
  fileId: string
  /** Throws Interrupted. */
  check: () => Promise<void>
  /** Calls `then` when the server ends. Returns what ends that. */
  onEnd: (then: () => void) => () => void
}

/** Writes the zip file. Returns its length in bytes once it is on stable storage. Throws CannotCollect and Interrupted. */
export async function writeZip(
  attempt: Attempt,
  sources: readonly AsyncIterable<MadeFile>[],
): Promise<number> {
  const { world, fileId, check } = attempt
  const { files, zips } = bundlesOf(world)
  let length = 0
  for await (const piece of inPieces(zips.pack(limited(attempt, sources), world.clock.now()))) {
    await check()
    if (length + piece.length > files.most)
      throw new CannotCollect(
        'It has become too large. Delete large logs on the hosts, and collect another one.',
      )
    await files.write(fileId, length, piece)
    length += piece.length
  }
  await files.flush(fileId)
  return length
}

const problemsPath = 'problems.txt'

/** The files as far as limits and their sources allow, and one that says what is missing. */
async function* limited(
  attempt: Attempt,
  sources: readonly AsyncIterable<MadeFile>[],
): AsyncGenerator<MadeFile> {
  const problems: string[] = []
  const taken = new Set([problemsPath])
  const room = { bytes: bundleLimits.content }
  for (const source of sources)
    for await (const { path, content } of patient(attempt, source, (text) =>
      problems.push(`other files: ${text}`),
    )) {
      await attempt.check()
      const safe = safePath(path, taken)
      const problem = (text: string) => void problems.push(`${safe}: ${text}`)
      if (taken.size === bundleLimits.files) {
        problem(`a bundle has at most ${bundleLimits.files} files`)
        break
      }
      taken.add(safe)
      yield { path: safe, content: cut(attempt, content, { room, problem }) }
    }
  const text = problems.length > 0 ? problems.join('\n') : 'Nothing is missing.'
  yield { path: problemsPath, content: single(`${text}\n`) }
}

/** A path of letters, digits and . _ -, which no other file has. */
function safePath(path: string, taken: ReadonlySet<string>): string {
  const segments = path.split('/').map((one) => one.replaceAll(/[^\w.-]/g, '_').replace(/^\.+/, '_'))
  const plain =
    segments
      .filter((one) => one !== '')
      .join('/')
      .slice(0, bundleLimits.path - 10) || 'file'
  for (let n = 2, other = plain; ; n++) {
    if (!taken.has(other)) return other
    other = `${plain}-${n}`
  }
}

interface Cut {
  /** The bytes that are left for all files. */
  room: { bytes: number }
  problem: (text: string) => void
}

/** Content that ends where it becomes too long. */
async function* cut(
  attempt: Attempt,
  content: AsyncIterable<Uint8Array>,
  { room, problem }: Cut,
): AsyncGenerator<Uint8Array> {
  let left = bundleLimits.file
  for await (const piece of patient(attempt, content, problem)) {
    await attempt.check()
    const fits = Math.min(piece.length, left, room.bytes)
    left -= fits
    room.bytes -= fits
    yield piece.subarray(0, fits)
    if (fits === piece.length) continue
    problem(left === 0 ? 'it is longer than a file may be' : 'the bundle has no more room')
    return
  }
}

/** The items of a source, which end at a failure or if the next one takes too long. Throws Interrupted. */
async function* patient<T>(
  attempt: Attempt,
  source: AsyncIterable<T>,
  problem: (text: string) => unknown,
): AsyncGenerator<T> {
  const items = source[Symbol.asyncIterator]()
  let isStuck = false
  try {
    for (;;) {
      const next = await soon(attempt, items.next())
      if (next === 'late') {
        isStuck = true
        problem(`it ends here: nothing came for ${patienceMs / 1000} seconds`)
        return
      }
      if (next.done) return
      yield next.value
    }
  } catch (error) {
    isStuck = error instanceof Interrupted
    if (isStuck || isOutage(error)) throw error
    problem(`it ends here: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    // The end of a source that is stuck would not come either.
    const ended = items.return?.()
    if (isStuck) ended?.catch(() => undefined)
    else await ended
  }
}

/** The result, or `late` after a while. Throws Interrupted when the server ends. */
async function soon<T>({ world, onEnd }: Attempt, result: Promise<T>): Promise<T | 'late'> {
  // A promise that outlives the others would keep the results of all.
  const { promise: late, resolve, reject } = Promise.withResolvers<'late'>()
  const cancel = world.clock.after(patienceMs, () => resolve('late'))
  const forget = onEnd(() => reject(new Interrupted('the server ends')))
  try {
    return await Promise.race([result, late])
  } finally {
    cancel()
    forget()
  }
}

/** The content of a file with this text. */
async function* single(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytesOf(text))
}
