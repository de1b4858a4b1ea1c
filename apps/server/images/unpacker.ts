/**
 * Reads the disks out of files of images: with zlib, `xz` and `qemu-img`. The programs are run with limits, on files
 * whose headers name no other file, and that do not change while they are read. Decision 0084.
 */
import { spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { mkdir, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline, type Duplex, type Readable } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { headLength, recogniseImage } from '@purlin/contract/rules/images/formats'
import { formatBytes, limits, MiB } from '@purlin/contract/rules/limits'
import { NotUnpacked, StorageFull, type ImageUnpacker, type PackedFormat } from '@purlin/core/ports'
import { isFullError, messageOf, systemCodeOf } from '@purlin/databases/error-codes'
import { oneLine } from '../webhooks/fetching.ts'

export interface UnpackerOptions {
  pathOf: (fileId: string) => string
  /** A folder with room for the disks of files that `qemu-img` converts. It is emptied at first. */
  folder: string
  /** False if another server has the folders. */
  isReachable?: boolean
  /** The programs; those of the system unless given. */
  programs?: { xz?: string; qemuImg?: string }
}

interface Reading<F extends PackedFormat> {
  fileId: string
  format: F
  signal: AbortSignal
}
type Converted = Extract<PackedFormat, 'qcow2' | 'vmdk' | 'vdi'>

const install = {
  xz: 'This server has no xz. Install the package xz-utils on it, or decompress the file first',
  qemuImg:
    'This server has no qemu-img. Install the package qemu-utils on it, or convert the file to raw first',
}
/** Of a program: CPU time in s, address space in KiB. */
const most = { cpu: 3600, memory: 2 * 1024 * 1024 }

export function createUnpacker({
  pathOf,
  folder,
  isReachable = true,
  programs = {},
}: UnpackerOptions): ImageUnpacker {
  const { xz = 'xz', qemuImg = 'qemu-img' } = programs
  const stopping = new AbortController()
  // A server that was killed has left files.
  const emptied = isReachable ? rm(folder, { recursive: true, force: true }) : undefined

  const paths = { xz, qemuImg }
  const run = (program: keyof typeof install, args: readonly string[], signal: AbortSignal) =>
    start({ program, path: paths[program], args, signal })

  async function* converted({ fileId, format, signal }: Reading<Converted>): AsyncGenerator<Uint8Array> {
    await emptied
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const [path, target] = [pathOf(fileId), join(folder, `${fileId}.raw`)]
    const source = sourceOf(path, format)
    const qemu = (...args: string[]) => textOf(run('qemuImg', args, signal))
    const before = await changeOf(path)
    await refuseHead(path, format)
    refuseOthers(parseInfo(await qemu('info', '--output=json', '--', source)))
    await qemu('check', '-q', '--', source)
    try {
      await qemu('convert', '-O', 'raw', '--', source, target)
      // Another header could name files of this server.
      if ((await changeOf(path)) !== before) throw new NotUnpacked(changed)
      yield* createReadStream(target, { highWaterMark: MiB, signal }) as AsyncIterable<Buffer>
    } finally {
      await rm(target, { force: true })
    }
  }

  async function* read({ fileId, format, signal }: Reading<PackedFormat>): AsyncGenerator<Uint8Array> {
    const path = pathOf(fileId)
    switch (format) {
      case 'gzip':
        return yield* through(createReadStream(path, { signal }), createGunzip())
      case 'zstd':
        return yield* framesOf(path, signal)
      case 'xz':
        return yield* outputOf(
          run('xz', ['--decompress', '--stdout', '--memlimit=512MiB', '--', path], signal),
        )
      case 'qcow2':
      case 'vmdk':
      case 'vdi':
        return yield* converted({ fileId, format, signal })
    }
  }

  return {
    async *unpack(fileId, format, lost) {
      const ending = new AbortController()
      void lost?.then(() => ending.abort())
      try {
        yield* read({ fileId, format, signal: AbortSignal.any([stopping.signal, ending.signal]) })
      } catch (error) {
        throw explained(error, format)
      }
    },
    stop: () => stopping.abort(),
  }
}

function explained(error: unknown, format: PackedFormat): unknown {
  if (error instanceof NotUnpacked) return error
  if (isFullError(error)) return new StorageFull(messageOf(error), { cause: error })
  const isData = systemCodeOf(error)?.startsWith('Z_') || systemCodeOf(error)?.startsWith('ZSTD_')
  if (!isData) return error
  return new NotUnpacked(`The ${format} file is damaged or cut off: ${oneLine(messageOf(error))}`, {
    cause: error,
  })
}

/** The output of a decompressor. Its source is closed with it, however it ends. */
async function* through(source: Readable, to: Duplex): AsyncGenerator<Uint8Array> {
  // Errors arrive at the reader.
  pipeline(source, to, () => undefined)
  try {
    yield* to as AsyncIterable<Buffer>
  } finally {
    source.destroy()
    to.destroy()
  }
}

/** The disk in a file as `qemu-img` opens it: alone, whatever its header says at that moment. */
const sourceOf = (path: string, format: Converted): string =>
  `json:${JSON.stringify({ driver: format, backing: null, file: { driver: 'file', filename: path } })}`

/** Throws NotUnpacked unless the header is still one that was looked at: `info` does not name all other files. */
async function refuseHead(path: string, format: Converted): Promise<void> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(new Uint8Array(headLength), { position: 0 })
  const { size } = await file.stat()
  const found = recogniseImage({ bytes: buffer.subarray(0, bytesRead), size })
  if ('problem' in found) throw new NotUnpacked(found.problem)
  if (found.format !== format) throw new NotUnpacked(changed)
}
const changed = 'The file was changed while it was read'

/** Differs after each write to a file. */
async function changeOf(path: string): Promise<string> {
  const { ino, size, ctimeNs } = await stat(path, { bigint: true })
  return [ino, size, ctimeNs].join(' ')
}

/** All frames of a file: the decompressor ends with the first one. */
async function* framesOf(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const { size } = await stat(path)
  for (let at = 0; at < size;) {
    const frame = createZstdDecompress()
    yield* through(createReadStream(path, { start: at, signal }), frame)
    if (frame.bytesWritten === 0) throw new NotUnpacked('The zstd file is damaged')
    at += frame.bytesWritten
  }
}

interface Started {
  program: keyof typeof install
  path: string
  args: readonly string[]
  signal: AbortSignal
}

/** Starts a program with limits on its time and memory. */
function start({ program, path, args, signal }: Started) {
  const limited = `ulimit -t ${most.cpu} -v ${most.memory} -c 0; exec "$@"`
  const child = spawn('sh', ['-c', limited, 'sh', path, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    signal,
    killSignal: 'SIGKILL',
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-2000)))
  const ended = new Promise<{ code: number | null; errors: string }>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, errors }))
  })
  // Its output may fail first.
  ended.catch(() => undefined)
  return { program, args, output: child.stdout, ended, kill: () => child.kill('SIGKILL') }
}
type Running = ReturnType<typeof start>

const notFound = 127

/** The output of a program. Throws NotUnpacked if it is missing or fails. */
async function* outputOf({ program, args, output, ended, kill }: Running): AsyncGenerator<Uint8Array> {
  try {
    yield* output as AsyncIterable<Buffer>
    const { code, errors } = await ended
    if (code === 0) return
    if (code === notFound) throw new NotUnpacked(install[program])
    // A check of a file that has unused parts only.
    if (args[0] === 'check' && (code === 3 || code === 63)) return
    if (/no space left/i.test(errors)) throw new StorageFull(oneLine(errors))
    throw new NotUnpacked(`The file is damaged or cut off: ${wordsOf(errors)}`)
  } finally {
    kill()
  }
}

/** A message without the paths of this server. */
const wordsOf = (errors: string): string =>
  oneLine(errors.replaceAll(/'?\/[^\s':]+'?:?\s*/g, '')) || 'no reason given'

const mostText = 1024 * 1024
async function textOf(running: Running): Promise<string> {
  let text = ''
  for await (const bytes of outputOf(running))
    if (text.length < mostText) text += Buffer.from(bytes).toString('utf8')
  return text
}

interface Info {
  'virtual-size'?: unknown
  'backing-filename'?: unknown
  encrypted?: unknown
  'format-specific'?: { data?: { 'data-file'?: unknown; extents?: unknown } }
}

function parseInfo(text: string): Info {
  try {
    return JSON.parse(text) as Info
  } catch {
    throw new NotUnpacked('The file could not be read')
  }
}

/** Throws NotUnpacked for a disk that is too large or needs other files. The header was checked for that before. */
function refuseOthers(info: Info): void {
  const { 'format-specific': { data = {} } = {} } = info
  const size = Number(info['virtual-size'])
  const { maxSize } = limits.disk
  if (!(size > 0 && size <= maxSize))
    throw new NotUnpacked(`Its disk has ${formatBytes(size)}, but disks have at most ${formatBytes(maxSize)}`)
  const hasOthers = info['backing-filename'] !== undefined || data['data-file'] !== undefined
  if (hasOthers || info.encrypted === true)
    throw new NotUnpacked('The file needs another file, or is encrypted. Export the disk as a single file')
}
