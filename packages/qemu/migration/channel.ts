/** The frames that two hosts send each other on one connection, while a machine moves from one to the other. */
import type { Duplex, Writable } from 'node:stream'

/** The host that has the machine says the first six, the other one the rest. */
const kinds = ['hello', 'log', 'memory', 'all', 'go', 'ask', 'ready', 'loaded', 'runs', 'refused'] as const
export type FrameKind = (typeof kinds)[number]

export interface Frame {
  kind: FrameKind
  bytes: Buffer
}

/** The longest is a hello with many keys. */
const mostBytes = 16 * 1024 * 1024
const headLength = 5
const mostReason = 500

/** The connection to the other host has ended. */
class ChannelClosed extends Error {
  override name = 'ChannelClosed'
}

/** The other host does not take the machine, and says why. */
export class Refused extends Error {
  override name = 'Refused'
}

export class Channel {
  #socket: Duplex
  #frames: AsyncGenerator<Frame>

  constructor(socket: Duplex) {
    this.#socket = socket
    socket.on('error', () => undefined)
    this.#frames = framesIn(socket)
  }

  /** Waits while the reader is behind. Throws ChannelClosed. */
  async send(kind: FrameKind, bytes: Uint8Array | string = ''): Promise<void> {
    const content = Buffer.from(bytes)
    const head = Buffer.alloc(headLength)
    head.writeUInt8(kinds.indexOf(kind))
    head.writeUInt32BE(content.length, 1)
    await write(this.#socket, Buffer.concat([head, content]))
  }

  /** The next frame. Throws ChannelClosed. */
  async receive(): Promise<Frame> {
    const { value, done } = await this.#frames.next()
    if (done === true) throw new ChannelClosed('the connection between the hosts broke')
    return value
  }

  /** Waits for a frame of a kind. Throws Refused, ChannelClosed. */
  async expect(kind: FrameKind): Promise<void> {
    const frame = await this.receive()
    if (frame.kind === 'refused') throw new Refused(frame.bytes.toString('utf8').slice(0, mostReason))
    if (frame.kind !== kind) throw new ChannelClosed(`the other host says ${frame.kind} instead of ${kind}`)
  }

  /** Ends it once the other end has read what was sent, and whatever that still sends is dropped. */
  end(): void {
    this.#socket.end()
    this.#socket.resume()
  }

  destroy(): void {
    this.#socket.destroy()
  }
}

async function* framesIn(socket: Duplex): AsyncGenerator<Frame> {
  let rest: Buffer = Buffer.alloc(0)
  try {
    for await (const piece of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      rest = rest.length === 0 ? piece : Buffer.concat([rest, piece])
      for (let next = firstIn(rest); next; next = firstIn(rest)) {
        rest = rest.subarray(next.end)
        yield next
      }
    }
  } catch {
    // The reader sees that it has ended.
  }
}

/** The first frame and its end; undefined if it is not complete. Throws for what is none. */
function firstIn(rest: Buffer): (Frame & { end: number }) | undefined {
  if (rest.length < headLength) return undefined
  const kind = kinds[rest.readUInt8()]
  const end = headLength + rest.readUInt32BE(1)
  if (kind === undefined || end - headLength > mostBytes) throw new Error('this is no frame')
  return rest.length < end ? undefined : { kind, bytes: rest.subarray(headLength, end), end }
}

/** Writes, and waits while the reader is behind. Throws ChannelClosed. */
export async function write(to: Writable, bytes: Uint8Array): Promise<void> {
  if (to.destroyed || to.writableEnded) throw new ChannelClosed('the connection between the hosts broke')
  if (to.write(bytes)) return
  await new Promise<void>((done, fail) => {
    const leave = () => {
      to.off('drain', drained)
      to.off('close', closed)
    }
    const drained = () => {
      leave()
      done()
    }
    const closed = () => {
      leave()
      fail(new ChannelClosed('the connection between the hosts broke'))
    }
    to.on('drain', drained)
    to.on('close', closed)
  })
}
