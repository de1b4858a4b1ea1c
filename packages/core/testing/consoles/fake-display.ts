/** A screen for tests of what is between a client and a machine. */
import type { ConsoleListener, SledDriver } from '#/ports.ts'

export interface FakeDisplay {
  /** The bytes that it got from all clients. */
  got: number[]
  /** `pause` and `resume`, and `close`, in order. */
  log: string[]
  /** The listeners of the clients that are there, oldest first. */
  clients: ConsoleListener[]
}

/** Gives each machine of a driver the same screen, which begins like every one and says nothing more by itself. */
export function giveDisplay(sleds: SledDriver): FakeDisplay {
  const display: FakeDisplay = { got: [], log: [], clients: [] }
  sleds.openDisplay = async (_, to) => {
    display.clients.push(to)
    to.data(new TextEncoder().encode('RFB 003.008\n'))
    return {
      write: (bytes) => void display.got.push(...bytes),
      close: () => void display.log.push('close'),
      setPaused: (isPaused) => void display.log.push(isPaused ? 'pause' : 'resume'),
    }
  }
  return display
}

const ascii = (text: string) => Array.from(text, (c) => c.charCodeAt(0))

/** Messages of a client of RFB. */
export const rfb = {
  greeting: [...ascii('RFB 003.008\n'), 1, 1],
  picture: [3, 1, 0, 0, 0, 0, 2, 128, 1, 224],
  key: [4, 1, 0, 0, 0, 0, 0, 97],
  pointer: [5, 0, 0, 10, 0, 10],
  cutText: [6, 0, 0, 0, 0, 0, 0, 5, ...ascii('hello')],
  keyByPosition: [255, 0, 0, 1, 0, 0, 0, 97, 0, 0, 0, 30],
  size: [251, 0, 2, 128, 1, 224, 1, 0, ...Array.from({ length: 16 }, () => 0)],
  encodings: (...encodings: number[]) => [
    2,
    0,
    encodings.length >> 8,
    encodings.length & 255,
    ...encodings.flatMap((one) => [one >> 24, one >> 16, one >> 8, one].map((byte) => byte & 255)),
  ],
}
