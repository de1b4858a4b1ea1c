import type { ConsoleStart, SledDriver } from '@purlin/core/ports'
import { expect } from 'vitest'
import { db, running, specOf, until, untilState, web, type Rule, type SledHarness } from './suite-harness.ts'

const MiB = 1024 ** 2
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const bytes = (s: string) => new TextEncoder().encode(s)

/** Collects output and the reason of the end. */
function createViewer() {
  const parts: Uint8Array[] = []
  const ends: { reason: string; end?: number | undefined }[] = []
  const to = {
    data: (part: Uint8Array) => void parts.push(part.slice()),
    closed: (reason: string, end?: number) => void ends.push({ reason, end }),
  }
  return { to, ends, output: () => parts.map(text).join('') }
}

/** Opens a console, and keeps what it gives. */
export async function openViewer(h: SledHarness, sledId: string, start: ConsoleStart) {
  const viewer = createViewer()
  const stream = await h.driver.openConsole({ id: web, sledId }, start, viewer.to)
  if (!stream) throw new Error('no console')
  return { ...viewer, stream }
}

/** Reads a range that must exist. */
async function read(
  driver: SledDriver,
  sledId: string,
  range: { from: number; max: number } | { last: number; max: number },
) {
  const chunk = await driver.readConsole(web, sledId, range)
  if (chunk === null || chunk === 'dropped') throw new Error(`no data: ${chunk ?? 'no machine'}`)
  return chunk
}

/** Waits until the guest has booted; returns how many bytes it has written. */
async function booted(h: SledHarness, sledId: string) {
  await h.advance(h.maxWaitMs)
  return (await read(h.driver, sledId, { last: 0, max: 0 })).end
}

/** The rules for the serial console. */
export function consoleRules(rule: Rule) {
  readRules(rule)
  retentionRules(rule)
  streamRules(rule)
  endRules(rule)
}

function readRules(rule: Rule) {
  rule('an unknown machine has no console', async (h) => {
    const { sledId } = await specOf(h)
    expect(await h.driver.readConsole(web, sledId, { from: 0, max: 10 })).toBeNull()
    expect(await h.driver.openConsole({ id: web, sledId }, { last: 0 }, createViewer().to)).toBeNull()
  })

  rule('a booting guest writes to its console', async (h) => {
    const { sledId } = await running(h)
    expect(await booted(h, sledId)).toBeGreaterThan(0)
  })

  rule('reading chunk by chunk returns the whole log', async (h) => {
    const { sledId } = await running(h)
    const total = await booted(h, sledId)
    const whole = await read(h.driver, sledId, { from: 0, max: total })
    let joined = ''
    for (let from = 0; from < total;) {
      const { data, end } = await read(h.driver, sledId, { from, max: 100 })
      expect(end).toBe(from + data.length)
      joined += text(data)
      from = end
    }
    expect(whole.end).toBe(total)
    expect(joined).toBe(text(whole.data))
  })

  rule('there is no data at the end and past it', async (h) => {
    const { sledId } = await running(h)
    const total = await booted(h, sledId)
    for (const from of [total, total + 1000]) {
      const { data, end } = await read(h.driver, sledId, { from, max: 100 })
      expect({ length: data.length, end }).toEqual({ length: 0, end: total })
    }
  })

  rule('`last` counts from the end; more than the log has begins at 0', async (h) => {
    const { sledId } = await running(h)
    const before = await booted(h, sledId)
    await h.print(web, bytes('0123456789'))
    await until(
      h,
      'ten more bytes',
      async () => (await read(h.driver, sledId, { last: 0, max: 0 })).end === before + 10,
    )
    expect(text((await read(h.driver, sledId, { last: 4, max: 100 })).data)).toBe('6789')
    expect(await read(h.driver, sledId, { last: 10, max: 3 })).toEqual({
      data: bytes('012'),
      end: before + 3,
    })
    const whole = await read(h.driver, sledId, { last: before + 5000, max: before + 10 })
    expect({ length: whole.data.length, end: whole.end }).toEqual({ length: before + 10, end: before + 10 })
  })

  rule('each machine has its own console', async (h) => {
    const { sledId } = await running(h, web)
    await running(h, db)
    const { output } = await openViewer(h, sledId, { last: 0 })
    await h.print(db, bytes('for the other'))
    await h.advance(h.maxWaitMs)
    expect(output()).not.toContain('for the other')
  })
}

function retentionRules(rule: Rule) {
  rule('keeps the first and the latest MiB with their offsets, and drops the middle', async (h) => {
    const { sledId } = await running(h)
    const before = await booted(h, sledId)
    await h.print(web, bytes('.'.repeat(3 * MiB - before - 3)))
    await h.print(web, bytes('end'))
    await until(
      h,
      '3 MiB of output',
      async () => (await read(h.driver, sledId, { last: 0, max: 0 })).end === 3 * MiB,
    )

    expect(await read(h.driver, sledId, { from: MiB - 1, max: 10 })).toMatchObject({ end: MiB })
    for (const from of [MiB, 2 * MiB - 1])
      expect(await h.driver.readConsole(web, sledId, { from, max: 10 })).toBe('dropped')
    expect(await read(h.driver, sledId, { from: 2 * MiB, max: 10 })).toMatchObject({ end: 2 * MiB + 10 })
    expect(text((await read(h.driver, sledId, { from: 3 * MiB - 3, max: 10 })).data)).toBe('end')
    const latest = await openViewer(h, sledId, { from: MiB + 1 })
    await until(h, 'the latest part', () => latest.output().length === MiB)
  })

  rule('keeps the log over a reboot', async (h) => {
    const spec = await running(h)
    const before = await booted(h, spec.sledId)
    const past = await read(h.driver, spec.sledId, { from: 0, max: before })
    await h.driver.ensure(web, { ...spec, reset: 1 })
    await untilState(h, web, spec.sledId, 'running')
    expect(await read(h.driver, spec.sledId, { from: 0, max: before })).toEqual(past)
    const isLonger = async () => (await read(h.driver, spec.sledId, { last: 0, max: 0 })).end > before
    await until(h, 'output of the next boot', isLonger)
  })

  rule('drops the log when the machine stops, and a new boot begins at 0', async (h) => {
    const spec = await running(h)
    await booted(h, spec.sledId)
    await h.print(web, bytes('of the first boot'))
    await h.driver.remove(web, spec.sledId, 1)
    await untilState(h, web, spec.sledId, null)
    expect(await h.driver.readConsole(web, spec.sledId, { from: 0, max: 10 })).toBeNull()
    await h.driver.ensure(web, { ...spec, boot: 2 })
    await untilState(h, web, spec.sledId, 'running')
    const total = await booted(h, spec.sledId)
    const whole = await read(h.driver, spec.sledId, { from: 0, max: total })
    expect(text(whole.data)).not.toContain('of the first boot')
  })
}

function streamRules(rule: Rule) {
  rule('a stream replays the requested history, then follows', async (h) => {
    const { sledId } = await running(h)
    await booted(h, sledId)
    await h.print(web, bytes('past'))
    await until(
      h,
      'output',
      async () => text((await read(h.driver, sledId, { last: 4, max: 4 })).data) === 'past',
    )
    const [all, some, none] = [
      await openViewer(h, sledId, { last: Infinity }),
      await openViewer(h, sledId, { last: 2 }),
      await openViewer(h, sledId, { last: 0 }),
    ]
    await h.print(web, bytes('-now'))
    await until(h, 'live output', () => none.output() === '-now')
    expect(some.output()).toBe('st-now')
    const { data } = await read(h.driver, sledId, { from: 0, max: MiB })
    expect(all.output()).toBe(text(data))
  })

  rule('a stream begins at an offset, or at the end if that comes before', async (h) => {
    const { sledId } = await running(h)
    const before = await booted(h, sledId)
    await h.print(web, bytes('0123'))
    const end = async () => (await read(h.driver, sledId, { last: 0, max: 0 })).end
    await until(h, 'output', async () => (await end()) === before + 4)
    const [some, none, late] = [
      await openViewer(h, sledId, { from: before + 1 }),
      await openViewer(h, sledId, { from: before + 4 }),
      await openViewer(h, sledId, { from: before + 1000 }),
    ]
    await h.print(web, bytes('45'))
    await until(h, 'live output', () => late.output() === '45')
    expect([some.output(), none.output()]).toEqual(['12345', '45'])
  })

  rule('input is echoed to all streams', async (h) => {
    const { sledId } = await running(h)
    await booted(h, sledId)
    const [typist, other] = [
      await openViewer(h, sledId, { last: 0 }),
      await openViewer(h, sledId, { last: 0 }),
    ]
    typist.stream.write(bytes('hi\r'))
    await until(h, 'the echo', () => /hi\r?\n/.test(other.output()))
    expect(typist.output()).toBe(other.output())
  })

  rule('a closed stream gets no output, accepts no input, and does not affect others', async (h) => {
    const { sledId } = await running(h)
    await booted(h, sledId)
    const [closed, other] = [
      await openViewer(h, sledId, { last: 0 }),
      await openViewer(h, sledId, { last: 0 }),
    ]
    closed.stream.close()
    closed.stream.close()
    closed.stream.write(bytes('ghost'))
    await h.print(web, bytes('here'))
    await h.advance(h.maxWaitMs)
    expect(other.output()).toBe('here')
    expect(closed.output()).toBe('')
    expect(closed.ends).toEqual([])
  })
}

function endRules(rule: Rule) {
  rule(
    'a stream continues over a reboot and ends once, with "VM stopped", when the machine stops',
    async (h) => {
      const spec = await running(h)
      const { ends, stream } = await openViewer(h, spec.sledId, { last: 0 })
      await h.driver.ensure(web, { ...spec, reset: 1 })
      await untilState(h, web, spec.sledId, 'running')
      expect(ends).toEqual([])
      await h.driver.remove(web, spec.sledId, 1)
      await untilState(h, web, spec.sledId, null)
      await until(h, 'the end', () => ends.length > 0)
      stream.write(bytes('late'))
      stream.close()
      expect(ends).toMatchObject([{ reason: 'VM stopped' }])
    },
  )

  rule('a stream ends when the machine fails or is replaced, or its sled is unreachable', async (h) => {
    const spec = await running(h)
    const first = await openViewer(h, spec.sledId, { last: 0 })
    await h.driver.ensure(web, { ...spec, boot: 2 })
    await until(h, 'the end by replacement', () => first.ends.length === 1)
    await untilState(h, web, spec.sledId, 'running')

    const second = await openViewer(h, spec.sledId, { last: 0 })
    await h.loseSled(spec.sledId)
    await until(h, 'the end by loss of the sled', () => second.ends.length === 1)
    await h.restoreSled(spec.sledId)

    const third = await openViewer(h, spec.sledId, { last: 0 })
    await h.crash(web, 'out of luck')
    await until(h, 'the end by failure', () => third.ends.length === 1)
  })
}
