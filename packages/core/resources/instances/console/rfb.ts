/** The part of RFB (RFC 6143) that a client sends to a display: cut into its messages, which are forwarded or dropped. */

/** The client does not keep to the protocol. The message is for people. */
export class RfbError extends Error {
  override name = 'RfbError'
}

/** The display that gets the messages offers this version, and no authentication: the server has done that. */
const version = 'RFB 003.008\n'
const noAuthentication = 1

const mostEncodings = 256
const mostCutText = 1024 * 1024
const mostScreens = 16

/** Of encodings whose clients send no messages but those below: the others are left out. */
const encodings: readonly (readonly [from: number, to: number])[] = [
  // Raw, CopyRect, Hextile, Tight, ZRLE
  [0, 1],
  [5, 5],
  [7, 7],
  [16, 16],
  // Quality, size, last rectangle, pointer, level of compression, keys by position, PNG, LEDs, pointer with alpha
  [-32, -23],
  [-224, -223],
  [-239, -239],
  [-256, -247],
  [-258, -257],
  [-261, -260],
  [-308, -307],
  [-314, -314],
]
const isKnown = (encoding: number): boolean =>
  encodings.some(([from, to]) => encoding >= from && encoding <= to)

interface Message {
  /** Bytes that say how long it is. */
  header: number
  lengthOf(header: DataView): number
  /** A person does something to the machine. */
  isInput?: true
  /** Changes the message, once it is complete. */
  rewrite?(message: Uint8Array): Uint8Array
}

const fixed = (length: number): Pick<Message, 'header' | 'lengthOf'> => ({
  header: 1,
  lengthOf: () => length,
})

function limited(count: number, most: number, noun: string): number {
  if (count > most) throw new RfbError(`the client sends ${count} ${noun}: at most ${most} are accepted`)
  return count
}

function withKnownEncodings(message: Uint8Array): Uint8Array {
  const from = viewOf(message)
  const kept = Array.from({ length: (message.length - 4) / 4 }, (_, i) => from.getInt32(4 + 4 * i)).filter(
    isKnown,
  )
  const to = new Uint8Array(4 + 4 * kept.length)
  const view = viewOf(to)
  view.setUint8(0, 2)
  view.setUint16(2, kept.length)
  for (const [i, encoding] of kept.entries()) view.setInt32(4 + 4 * i, encoding)
  return to
}

/** By the type, its first byte. */
const messages: Readonly<Record<number, Message | undefined>> = {
  // SetPixelFormat, SetEncodings, FramebufferUpdateRequest
  0: fixed(20),
  2: {
    header: 4,
    lengthOf: (header) => 4 + 4 * limited(header.getUint16(2), mostEncodings, 'encodings'),
    rewrite: withKnownEncodings,
  },
  3: fixed(10),
  // KeyEvent, PointerEvent, ClientCutText
  4: { ...fixed(8), isInput: true },
  5: { ...fixed(6), isInput: true },
  6: {
    header: 8,
    // Negative for the extended clipboard.
    lengthOf: (header) => 8 + limited(Math.abs(header.getInt32(4)), mostCutText, 'bytes of text'),
    isInput: true,
  },
  // SetDesktopSize
  251: {
    header: 7,
    lengthOf: (header) => 8 + 16 * limited(header.getUint8(6), mostScreens, 'screens'),
    isInput: true,
  },
  // A key by its position
  255: {
    header: 2,
    lengthOf: (header) => {
      if (header.getUint8(1) !== 0) throw unknown(`255.${header.getUint8(1)}`)
      return 12
    },
    isInput: true,
  },
}

const unknown = (type: string | number) =>
  new RfbError(`the client sends a message of the unknown type ${type}`)

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength)

/** The bytes for the display, and whether a person has done something to the machine. */
export interface Taken {
  bytes: Uint8Array[]
  isInput: boolean
}

/**
 * Takes what a client sends, however it is cut. Of a client that may not control the machine only the messages get through that
 * ask for the picture. At most the beginning of a message is kept, and the rest of a long one goes through as it comes.
 */
export class RfbClient {
  #mayControl: boolean
  #stage: 'version' | 'security' | 'init' | 'messages' = 'version'
  /** The beginning of what is not complete. */
  #kept = new Uint8Array()
  /** Bytes that are left of a long message, and whether they are forwarded. */
  #rest = 0
  #isForwarded = false

  constructor({ mayControl }: { mayControl: boolean }) {
    this.#mayControl = mayControl
  }

  /** Throws RfbError. */
  take(bytes: Uint8Array): Taken {
    const taken: Taken = { bytes: [], isInput: false }
    let input = bytes
    if (this.#kept.length > 0) {
      input = new Uint8Array(this.#kept.length + bytes.length)
      input.set(this.#kept)
      input.set(bytes, this.#kept.length)
    }
    let at = 0
    for (let used = 1; used > 0 && at < input.length; at += used) used = this.#step(input.subarray(at), taken)
    this.#kept = input.slice(at)
    return taken
  }

  /** Takes one message, or a part of a long one. Returns its bytes; none if there are too few. */
  #step(input: Uint8Array, taken: Taken): number {
    if (this.#rest > 0) return this.#goOn(input, taken)
    if (this.#stage !== 'messages') return this.#greet(input, taken)
    const type = input[0] ?? 0
    const message = messages[type]
    if (!message) throw unknown(type)
    if (input.length < message.header) return 0
    const length = message.lengthOf(viewOf(input))
    if (message.rewrite) {
      if (input.length < length) return 0
      taken.bytes.push(message.rewrite(input.subarray(0, length)))
      return length
    }
    this.#isForwarded = this.#mayControl || message.isInput !== true
    this.#rest = length
    if (message.isInput && this.#mayControl) taken.isInput = true
    return this.#goOn(input, taken)
  }

  #goOn(input: Uint8Array, { bytes }: Taken): number {
    const part = input.subarray(0, this.#rest)
    if (this.#isForwarded) bytes.push(part)
    this.#rest -= part.length
    return part.length
  }

  #greet(input: Uint8Array, { bytes }: Taken): number {
    switch (this.#stage) {
      case 'version': {
        if (input.length < version.length) return 0
        const begin = input.subarray(0, version.length)
        if (String.fromCharCode(...begin) !== version) throw new RfbError('the client does not speak RFB 3.8')
        this.#stage = 'security'
        bytes.push(begin)
        return begin.length
      }
      case 'security':
        if (input[0] !== noAuthentication) throw new RfbError('the client asks for another authentication')
        this.#stage = 'init'
        bytes.push(Uint8Array.of(noAuthentication))
        return 1
      default:
        // Others keep the display.
        this.#stage = 'messages'
        bytes.push(Uint8Array.of(1))
        return 1
    }
  }
}
