/** The sleds of one host on another machine, behind core's port. */
import type { Readable } from 'node:stream'
import { encode, jsonText } from '@purlin/contract/wire'
import {
  SledUnreachable,
  SwitchUnreachable,
  type ConsoleListener,
  type ConsoleStart,
  type DiagnosticFile,
  type DisplayStream,
  type Host,
  type SledDriver,
  type VmStatus,
  type VmWay,
} from '@purlin/core/ports'
import { consoleRequest, consoleTrailers, diagnosticLine, displayRequest } from './calls.ts'
import { accepted, HostConnection, NoConsole, type ConnectionOptions } from './connection.ts'
import { readLines } from './lines.ts'
import { batchFromWire } from './schemas/samples.ts'

export interface RemoteHost extends SledDriver {
  /** Ends the connection. */
  close(): void
}

const done = async (answer: Promise<unknown>): Promise<void> => void (await answer)

/** Connects to a host. A call to one that does not answer throws SledUnreachable at once. */
export function connectHost(
  host: Host,
  options: Pick<ConnectionOptions, 'identity' | 'clock' | 'log'>,
): RemoteHost {
  const watchers = new Set<(status: VmStatus) => void>()
  const hardwareWatchers = new Set<() => void>()
  const connection = new HostConnection({
    host,
    ...options,
    onReport: (status) => {
      for (const watcher of watchers) watcher(status)
    },
    onHardware: () => {
      for (const watcher of hardwareWatchers) watcher()
    },
  })
  const call: HostConnection['call'] = (name, input, epoch) => connection.call(name, input, epoch)
  /** The sleds that it named last, and the epochs that were announced to them. */
  let sledIds: string[] = []
  const epochs = new Map<string, number>()
  return {
    // The fleet knows which sleds simulate machines.
    keepsBytes: () => true,
    close: () => connection.close(),
    switches: {
      configure: (switchId, configuration) =>
        done(onSwitch(call('configureSwitch', { switchId, configuration }))),
      version: (switchId) => onSwitch(call('switchVersion', { switchId })),
      status: (switchId) => onSwitch(call('switchStatus', { switchId })),
    },
    hosts: () => Promise.resolve(sledIds),
    answers: () => connection.isUp,
    hold: (sledId, epoch) => {
      epochs.set(sledId, epoch)
      return done(call('hold', { sledId, epoch }))
    },
    hardware: async () => {
      const report = await call('hardware', {})
      sledIds = report.sleds.map(({ id }) => id)
      return report
    },
    watch: (onChange) => added(watchers, onChange),
    watchHardware: (onChange) => added(hardwareWatchers, onChange),
    addSled: (board) => call('addSled', board),
    install: (componentId, release) => done(call('install', { componentId, ...release })),
    dropSled: (sledId) => done(call('dropSled', { sledId })),
    ensure: (id, spec) => done(call('ensure', { id, spec }, epochs.get(spec.sledId))),
    remove: (id, sledId, boot) => done(call('remove', { id, sledId, boot }, epochs.get(sledId))),
    shutDown: (id, sledId, boot) => done(call('shutDown', { id, sledId, boot }, epochs.get(sledId))),
    setLayers: (id, sledId, to) => done(call('setLayers', { id, sledId, to }, epochs.get(sledId))),
    migrate: (id, migration) => done(call('migrate', { id, migration }, epochs.get(migration.spec.sledId))),
    receive: (id, migration) => reachedAt(host, call('receive', { id, migration })),
    setNetwork: (sledId, network) => done(call('setNetwork', { sledId, network }, epochs.get(sledId))),
    networks: (sledId) => call('networks', { sledId }),
    machines: (sledId) => call('machines', { sledId }),
    inspect: (id, sledId) => call('inspect', { id, sledId }),
    samples: async (sledId, since) => batchFromWire(await call('samples', { sledId, since })),
    readConsole: async (id, sledId, range) => {
      const answer = await call('readConsole', { id, sledId, from: null, last: null, ...range })
      if (answer.kept === 'chunk') return { data: answer.data, end: answer.end }
      return answer.kept === 'none' ? null : answer.kept
    },
    openConsole: (at, start, to) => openLive(connection, ['console', consoleCall(at, start)], to),
    openDisplay: (at, to) => openLive(connection, ['display', encode(displayRequest, at)], to),
    diagnostics: async function* () {
      const stream = await connection.open('diagnostics')
      try {
        stream.end()
        yield* filesOf(stream)
      } finally {
        stream.close()
      }
    },
  }
}

/** Other hosts reach it where servers do. */
const reachedAt = async ({ address }: Host, way: Promise<VmWay>): Promise<VmWay> => ({
  ...(await way),
  address,
})

function added<T>(to: Set<T>, one: T): () => void {
  to.add(one)
  return () => void to.delete(one)
}

async function onSwitch<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw error instanceof SledUnreachable ? new SwitchUnreachable(error.message) : error
  }
}

function consoleCall(at: { id: string; sledId: string }, start: ConsoleStart): unknown {
  if ('from' in start) return encode(consoleRequest, { ...at, history: 0, from: start.from })
  return encode(consoleRequest, { ...at, history: Number.isFinite(start.last) ? start.last : null })
}

async function openLive(
  connection: HostConnection,
  [call, request]: readonly [call: string, request: unknown],
  to: ConsoleListener,
): Promise<DisplayStream | null> {
  const stream = await connection.open(call)
  let reason = 'the connection to the host broke'
  let end: number | undefined
  stream.once('trailers', (trailers) => {
    reason = reasonIn(trailers) ?? reason
    end = endIn(trailers)
  })
  stream.write(`${jsonText(request)}\n`)
  try {
    await connection.within(stream, () => accepted(stream))
  } catch (error) {
    if (error instanceof NoConsole) return null
    throw error
  }
  let hasEnded = false
  const ended = () => {
    if (!hasEnded) to.closed(reason, end)
    hasEnded = true
    stream.close()
  }
  stream.on('data', (bytes: Buffer) => {
    if (!hasEnded) to.data(bytes)
  })
  stream.once('end', ended)
  stream.once('close', ended)
  return {
    write: (data) => {
      if (!hasEnded) stream.write(data)
    },
    close: () => {
      hasEnded = true
      stream.close()
    },
    setPaused: (isPaused) => void (isPaused ? stream.pause() : stream.resume()),
  }
}

const longestReason = 1_000

/** Why a console has ended, in the words of its host. */
function reasonIn(trailers: Record<string, unknown>): string | undefined {
  const reason = trailers[consoleTrailers.reason]
  try {
    return typeof reason === 'string' ? decodeURIComponent(reason).slice(0, longestReason) : undefined
  } catch {
    return undefined
  }
}

/** The offset after the last byte of a console. */
function endIn(trailers: Record<string, unknown>): number | undefined {
  const end = Number(trailers[consoleTrailers.end] ?? Number.NaN)
  return Number.isSafeInteger(end) && end >= 0 ? end : undefined
}

/** The files of a stream. Each is read to its end before the next one, or skipped. */
async function* filesOf(stream: Readable): AsyncGenerator<DiagnosticFile> {
  const lines = answers(readLines(stream, diagnosticLine))
  let next = await lines.next()
  async function* content(): AsyncGenerator<Uint8Array> {
    for (next = await lines.next(); next.done !== true; next = await lines.next()) {
      if (next.value.is === 'file') return
      if (next.value.is === 'unreachable') throw new SledUnreachable(next.value.reason)
      yield next.value.data
    }
  }
  while (next.done !== true) {
    if (next.value.is !== 'file') {
      next = await lines.next()
      continue
    }
    const { serial, name } = next.value
    const before = next
    yield { serial, name, content: content() }
    if (next === before) next = await lines.next()
  }
}

/** The lines of a host. What cannot be read of them is a host that does not answer. */
async function* answers<T>(lines: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* lines
  } catch (error) {
    throw new SledUnreachable('the host does not answer', { cause: error })
  }
}
