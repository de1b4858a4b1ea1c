/** The sequence that leaves a console, as in ssh: a tilde and a dot at the beginning of a line. Two tildes are one. */

const [tilde, dot] = [0x7e, 0x2e]
const isNewline = (byte: number): boolean => byte === 0x0d || byte === 0x0a

export interface Escaped {
  /** The bytes before the sequence, to be sent. */
  rest: Uint8Array
  isLeaving: boolean
}

/** Looks for the sequence in input that comes in pieces. */
export function createEscape(): (bytes: Uint8Array) => Escaped {
  let at: 'start' | 'tilde' | 'inside' = 'start'
  return (bytes) => {
    const rest: number[] = []
    for (const byte of bytes) {
      if (at === 'tilde' && byte === dot) return { rest: Uint8Array.from(rest), isLeaving: true }
      if (at === 'start' && byte === tilde) {
        at = 'tilde'
        continue
      }
      if (at === 'tilde' && byte !== tilde) rest.push(tilde)
      rest.push(byte)
      at = isNewline(byte) ? 'start' : 'inside'
    }
    return { rest: Uint8Array.from(rest), isLeaving: false }
  }
}
