import type { Clock, NetworkInterface, VmSpec } from '@purlin/core/ports'
import { bootLines, greeting, printed } from './boot-log.ts'
import { utf8 } from './bytes.ts'
import type { SerialConsole } from './console.ts'
import type { Timings } from './timings.ts'

const backspace = 8
const lineFeed = 10
const carriageReturn = 13
const del = 127

/** The size of the input buffer. Like a terminal driver, the guest drops input while it is full. */
const inputBufferSize = 64 * 1024
/** Each echo takes this fraction of the buffered input, at least one character. */
const echoesPerBuffer = 32

const isContinuation = (byte: number) => (byte & 0xc0) === 0x80
const lengthOfCharacter = (lead: number) => (lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1)

/** The environment of a guest. */
export interface GuestContext {
  clock: Clock
  timings: Timings
  /** An interface of the machine; undefined until its network has arrived. */
  interfaceOf: (nicId: string) => NetworkInterface | undefined
}

/**
 * The software in a simulated machine as seen on its serial console: a boot log, a login prompt, and an echo of
 * the input. Control characters are echoed in caret notation, so that no input can control the terminals of others.
 */
export class Guest {
  #clock: Clock
  #timings: Timings
  #serial: SerialConsole
  #spec: VmSpec
  #interfaceOf: GuestContext['interfaceOf']
  #cancelBoot = () => {}
  #cancelEcho: (() => void) | undefined
  #hasGreeted = false
  #typed: number[] = []
  /** The width of each character of the current line, for the backspace key. */
  #columns: number[] = []

  constructor(spec: VmSpec, serial: SerialConsole, { clock, timings, interfaceOf }: GuestContext) {
    this.#spec = spec
    this.#interfaceOf = interfaceOf
    this.#serial = serial
    this.#clock = clock
    this.#timings = timings
  }

  /** Boots or reboots: prints the log, and the login prompt `greeting` ms after `bootMs`. */
  powerOn(bootMs: number): void {
    this.powerOff()
    // The network may arrive while the guest boots.
    const lines = () =>
      bootLines(
        this.#spec,
        this.#spec.nics.map(({ id }) => this.#interfaceOf(id)),
      )
    const { length } = lines()
    const total = bootMs + this.#timings.greeting
    const due = (n: number) => Math.round((total * (n + 1)) / (length + 1))
    const schedule = (n: number) => {
      this.#cancelBoot = this.#clock.after(due(n) - due(n - 1), () => show(n))
    }
    const show = (n: number) => {
      const line = lines()[n]
      if (!line) return this.#printGreeting()
      this.#print(printed(line, due(n), n))
      schedule(n + 1)
    }
    schedule(0)
  }

  /** Stops all output and drops input that was not echoed. */
  powerOff(): void {
    this.#cancelBoot()
    this.#cancelEcho?.()
    this.#cancelEcho = undefined
    this.#hasGreeted = false
    this.#typed = []
    this.#columns = []
  }

  /** Accepts input. It is echoed after the login prompt. */
  type(bytes: Uint8Array): void {
    const room = inputBufferSize - this.#typed.length
    for (const byte of bytes.subarray(0, room)) this.#typed.push(byte)
    this.#scheduleEcho()
  }

  #printGreeting(): void {
    this.#print(greeting(this.#spec))
    this.#hasGreeted = true
    this.#scheduleEcho()
  }

  #scheduleEcho(): void {
    if (!this.#hasGreeted || this.#cancelEcho || this.#typed.length === 0) return
    this.#cancelEcho = this.#clock.after(this.#timings.echo, () => {
      this.#cancelEcho = undefined
      // Echoing a long paste one character at a time would take minutes.
      const rest = this.#typed.length - Math.ceil(this.#typed.length / echoesPerBuffer)
      while (this.#typed.length > rest) this.#echo(this.#nextCharacter())
      this.#scheduleEcho()
    })
  }

  /** The UTF-8 bytes of the next character, or those that have arrived. */
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
