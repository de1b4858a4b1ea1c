/** Types a text into a guest, at a pace that its machine keeps up with. */
import { createStore } from '#/lib/store.ts'
import type { Timer } from '../serial-console/typing.ts'
import { codesOf, press, type SendKey } from './keys.ts'
import type { Stroke } from './layouts.ts'

/** QEMU passes one event of a key on in this time, and drops events beyond a thousand. */
const eventMs = 12

export class TextTyper {
  /** In whole percent; undefined while nothing is typed. */
  readonly progress = createStore<number | undefined>(undefined)
  #waiting: Stroke[][] = []
  #total = 0
  #cancel: (() => void) | undefined
  #send: SendKey = () => undefined
  #timer: Timer

  constructor(timer: Timer) {
    this.#timer = timer
  }

  /** Types characters, once the ones before them have been typed. */
  readonly type = (characters: Stroke[][], send: SendKey): void => {
    this.#send = send
    this.#total += characters.length
    this.#waiting.push(...characters)
    if (!this.#cancel) this.#next()
  }

  readonly stop = (): void => {
    this.#cancel?.()
    this.#cancel = undefined
    this.#waiting = []
    this.#total = 0
    this.progress.set(undefined)
  }

  #next(): void {
    const strokes = this.#waiting.shift()
    if (!strokes) return this.stop()
    let events = 0
    for (const stroke of strokes) {
      const codes = codesOf(stroke)
      press(this.#send, codes)
      events += 2 * codes.length
    }
    this.progress.set(Math.floor((100 * (this.#total - this.#waiting.length)) / this.#total))
    this.#cancel = this.#timer.after(events * eventMs, () => this.#next())
  }
}
