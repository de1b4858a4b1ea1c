import { describe, expect, it } from 'vitest'
import { SerialConsole } from './console.ts'
import { Guest } from './guest.ts'
import { manualClock } from './manual-clock.ts'
import { exampleNic, exampleSpec } from './suite/suite-harness.ts'
import { realistic } from './timings.ts'

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const bytes = (s: string) => new TextEncoder().encode(s)

/** A guest that is powered off. */
const computer = () => {
  const clock = manualClock()
  const serial = new SerialConsole()
  const spec = { ...exampleSpec('some sled'), ncpus: 4 }
  const network = { hasArrived: true }
  const guest = new Guest(spec, serial, {
    clock,
    timings: realistic,
    interfaceOf: (id) =>
      network.hasArrived && spec.nics.some((nic) => nic.id === id) ? exampleNic(id) : undefined,
  })
  const screen = (from = 0) => {
    const chunk = serial.log.from(from, Infinity)
    return chunk === 'dropped' ? '' : text(chunk.data)
  }
  return { clock, serial, guest, network, screen }
}

/** A guest that has booted, and its output after the login prompt. */
const atThePrompt = async () => {
  const { clock, serial, guest, screen } = computer()
  guest.powerOn(2000)
  await clock.advance(3000)
  const mark = serial.log.total
  const echo = async (typed: string | Uint8Array) => {
    guest.type(typeof typed === 'string' ? bytes(typed) : typed)
    await clock.advance(2000)
    return screen(mark)
  }
  return { clock, guest, echo, shown: () => screen(mark) }
}

describe('simulated guest', () => {
  it('prints its boot log line by line, then the login prompt', async () => {
    const { clock, guest, screen } = computer()
    guest.powerOn(2000)
    const counts = new Set<number>()
    for (let i = 0; i < 10; i++) {
      await clock.advance(299)
      counts.add(screen().split('\r\n').length)
    }
    expect(counts.size).toBe(10)
    expect(screen()).not.toContain('login:')
    await clock.advance(10)
    expect(screen()).toMatch(/web login: $/)
  })

  it('prints the devices of the machine in the boot log', async () => {
    const { clock, guest, screen } = computer()
    guest.powerOn(1000)
    await clock.advance(5000)
    for (const fact of ['4 virtual processors', '2048 MiB', 'web-root', '172.30.0.5', '1 SSH public key '])
      expect(screen()).toContain(fact)
  })

  it('shows an interface as soon as its network has arrived', async () => {
    const { clock, guest, network, screen } = computer()
    network.hasArrived = false
    guest.powerOn(1000)
    await clock.advance(5000)
    expect(screen()).toContain('net0: link down')
    expect(screen()).toContain('net0 has no address')
    guest.powerOn(1000)
    network.hasArrived = true
    await clock.advance(5000)
    expect(screen()).toMatch(/net0: A8:40:25:F0:00:01, link up[^]*net0 has 172\.30\.0\.5/)
  })

  it('boots again after a reset and drops input', async () => {
    const { clock, guest, shown } = await atThePrompt()
    guest.type(bytes('lost'))
    guest.powerOn(1000)
    await clock.advance(5000)
    expect(shown()).toMatch(/^Purlin firmware[^]*login: $/)
  })

  it('prints nothing when powered off', async () => {
    const { clock, guest, shown } = await atThePrompt()
    guest.type(bytes('lost'))
    guest.powerOff()
    guest.type(bytes('unheard'))
    await clock.advance(5000)
    expect(shown()).toBe('')
    expect(clock.pending()).toBe(0)
  })

  it('echoes one character every 50 ms', async () => {
    const { clock, guest, shown } = await atThePrompt()
    guest.type(bytes('abc'))
    const seen: string[] = []
    for (const ms of [49, 50, 50, 50]) {
      await clock.advance(ms)
      seen.push(shown())
    }
    expect(seen).toEqual(['', 'a', 'ab', 'abc'])
  })

  it.each([
    ['Enter as a new line', 'a\rb', 'a\r\nb'],
    ['Ctrl-C in caret notation', '\x03', '^C'],
    ['escape sequences in caret notation', '\x1b[2J', '^[[2J'],
    ['the backspace key by erasing characters', 'ab\x7f\x7f\x7f', 'ab\b \b\b \b'],
    ['the backspace key over a caret pair by erasing both', '\x04\x7f', '^D\b \b\b \b'],
    ['characters beyond ASCII whole', 'é漢🦀\x7f', 'é漢🦀\b \b'],
  ])('echoes %s', async (_, typed, shown) => {
    const { echo } = await atThePrompt()
    expect(await echo(typed)).toBe(shown)
  })

  it('echoes a character whole that arrives in two parts', async () => {
    const { echo } = await atThePrompt()
    const [first, ...rest] = bytes('é')
    await echo(Uint8Array.of(first ?? 0))
    expect(await echo(Uint8Array.from(rest))).toBe('é')
  })

  it('echoes bytes that are not text', async () => {
    const { clock, guest, serial } = computer()
    guest.powerOn(0)
    await clock.advance(2000)
    const received: number[] = []
    serial.attach({ last: 0 }, { data: (part) => received.push(...part), closed: () => {} })
    const junk = [0xff, 0xc3, 0x41, 0x80, 0xf0, 0x9f]
    guest.type(Uint8Array.from(junk))
    await clock.advance(1000)
    expect(received).toEqual(junk)
  })

  it('echoes input from the boot after the login prompt', async () => {
    const { clock, guest, screen } = computer()
    guest.powerOn(1000)
    guest.type(bytes('root'))
    await clock.advance(5000)
    expect(screen()).toMatch(/login: root$/)
  })

  it('echoes a long paste within seconds, and input after it', async () => {
    const { clock, guest, shown } = await atThePrompt()
    const paste = 'naïve 漢字 🦀 '.repeat(500)
    guest.type(bytes(paste))
    await clock.advance(15_000)
    guest.type(bytes('y'))
    await clock.advance(50)
    expect(shown()).toBe(`${paste}y`)
  })

  it('drops input beyond 64 KiB that are not echoed yet', async () => {
    const { clock, guest, shown } = await atThePrompt()
    guest.type(bytes('x'.repeat(100_000)))
    guest.type(bytes('y'))
    await clock.advance(60_000)
    expect(shown()).toBe('x'.repeat(65_536))
  })
})
