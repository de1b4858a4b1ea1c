import type { Clock, VmSpec } from '@purlin/core/ports'
import { bootLines, greeting, printed } from './boot-log.ts'
import { utf8 } from './bytes.ts'
import type { SerialConsole } from './console.ts'
import type { Timings } from './timings.ts'

const backspace = 8
const lineFeed = 10
const carriageReturn = 13
const del = 127

/** Like a terminal driver: what is typed beyond this, before it was echoed, is lost. */
const typeAhead = 64 * 1024
/** Up to so many waiting bytes are echoed one character at a time; of more, the same share each time. */
const patience = 32

const isContinuation = (byte: number) => (byte & 0xc0) === 0x80
const lengthOfCharacter = (lead: number) => (lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1)

/**
 * The software inside a simulated machine, as far as its serial console shows it: a boot log, a
 * greeting, and an echo of what is typed. Control characters echo in caret notation, as terminals do,
 * so that nothing typed can steer the terminals that look on.
 */
export class Guest {
  #clock: Clock
  #timings: Timings
  #serial: SerialConsole
  #spec: VmSpec
  #cancelBoot = () => {}
  #cancelEcho: (() => void) | undefined
  #greeted = false
  #typed: number[] = []
  /** Columns of each character on the typed line, for the backspace key. */
  #columns: number[] = []

  constructor(spec: VmSpec, serial: SerialConsole, { clock, timings }: { clock: Clock; timings: Timings }) {
    this.#spec = spec
    this.#serial = serial
    this.#clock = clock
    this.#timings = timings
  }

  /** Boots, or boots again: the log scrolls until the greeting, `greeting` ms after `bootMs`. */
  powerOn(bootMs: number): void {
    this.powerOff()
    const lines = bootLines(this.#spec)
    const total = bootMs + this.#timings.greeting
    const due = (n: number) => Math.round((total * (n + 1)) / (lines.length + 1))
    const soon = (n: number) => {
      this.#cancelBoot = this.#clock.after(due(n) - due(n - 1), () => show(n))
    }
    const show = (n: number) => {
      const line = lines[n]
      if (!line) return this.#greet()
      this.#print(printed(line, due(n), n))
      soon(n + 1)
    }
    soon(0)
  }

  /** Silence. What was typed and not yet echoed is lost. */
  powerOff(): void {
    this.#cancelBoot()
    this.#cancelEcho?.()
    this.#cancelEcho = undefined
    this.#greeted = false
    this.#typed = []
    this.#columns = []
  }

  /** Takes typed bytes. Before the greeting they wait. */
  type(bytes: Uint8Array): void {
    const room = typeAhead - this.#typed.length
    for (const byte of bytes.subarray(0, room)) this.#typed.push(byte)
    this.#echoSoon()
  }

  #greet(): void {
    this.#print(greeting(this.#spec))
    this.#greeted = true
    this.#echoSoon()
  }

  #echoSoon(): void {
    if (!this.#greeted || this.#cancelEcho || this.#typed.length === 0) return
    this.#cancelEcho = this.#clock.after(this.#timings.echo, () => {
      this.#cancelEcho = undefined
      // One after another, a long paste would take minutes.
      const rest = this.#typed.length - Math.ceil(this.#typed.length / patience)
      while (this.#typed.length > rest) this.#echo(this.#nextCharacter())
      this.#echoSoon()
    })
  }

  /** The next character as its UTF-8 bytes, or as many of them as have arrived. */
  #nextCharacter(): Uint8Array {
    const lead = this.#typed[0] ?? 0
    let length = 1
    while (length < lengthOfCharacter(lead) && isContinuation(this.#typed[length] ?? 0)) length++
    return Uint8Array.from(this.#typed.splice(0, length))
  }

  #echo(character: Uint8Array): void {
    const lead = character[0] ?? 0
    if (lead === carriageReturn || lead === lineFeed) {
      this.#columns = []
      this.#print('\r\n')
    } else if (lead === backspace || lead === del) {
      this.#print('\b \b'.repeat(this.#columns.pop() ?? 0))
    } else if (lead < 32) {
      this.#columns.push(2)
      this.#print(`^${String.fromCharCode(lead + 64)}`)
    } else {
      if (!isContinuation(lead)) this.#columns.push(1)
      this.#serial.print(character)
    }
  }

  #print(text: string): void {
    if (text !== '') this.#serial.print(utf8(text))
  }
}
