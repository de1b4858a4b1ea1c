import type { SledDriver } from '@purlin/core/ports'
import { expect } from 'vitest'
import { db, running, specOf, until, untilState, web, type Rule, type SledHarness } from './suite-world.ts'

const MiB = 1024 ** 2
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const bytes = (s: string) => new TextEncoder().encode(s)

/** Someone who looks on: collects output and the reason of the end. */
function onlooker() {
  const parts: Uint8Array[] = []
  const ends: string[] = []
  const to = {
    data: (part: Uint8Array) => void parts.push(part.slice()),
    closed: (reason: string) => void ends.push(reason),
  }
  return { to, ends, heard: () => parts.map(text).join('') }
}

async function open(h: SledHarness, sledId: string, history: number) {
  const viewer = onlooker()
  const stream = await h.driver.openConsole({ id: web, sledId }, history, viewer.to)
  if (!stream) throw new Error('no console')
  return { ...viewer, stream }
}

/** A window that has to be there. */
async function read(
  driver: SledDriver,
  sledId: string,
  range: { from: number; max: number } | { last: number; max: number },
) {
  const chunk = await driver.readConsole(web, sledId, range)
  if (chunk === null || chunk === 'dropped') throw new Error(`no data: ${chunk ?? 'no machine'}`)
  return chunk
}

/** Waits until the guest has booted and is quiet; returns how much it has written. */
async function quiet(h: SledHarness, sledId: string) {
  await h.advance(h.patience)
  return (await read(h.driver, sledId, { last: 0, max: 0 })).end
}

/** The rules of the serial console. */
export function consoleRules(rule: Rule) {
  readRules(rule)
  retentionRules(rule)
  streamRules(rule)
  endRules(rule)
}

function readRules(rule: Rule) {
  rule('a machine that is not there has no console', async (h) => {
    const { sledId } = await specOf(h)
    expect(await h.driver.readConsole(web, sledId, { from: 0, max: 10 })).toBeNull()
    expect(await h.driver.openConsole({ id: web, sledId }, 0, onlooker().to)).toBeNull()
  })

  rule('a guest that boots writes to its console', async (h) => {
    const { sledId } = await running(h)
    expect(await quiet(h, sledId)).toBeGreaterThan(0)
  })

  rule('reading in windows, each from the end of the one before, gives the whole', async (h) => {
    const { sledId } = await running(h)
    const total = await quiet(h, sledId)
    const whole = await read(h.driver, sledId, { from: 0, max: total })
    let pieces = ''
    for (let from = 0; from < total;) {
      const { data, end } = await read(h.driver, sledId, { from, max: 100 })
      expect(end).toBe(from + data.length)
      pieces += text(data)
      from = end
    }
    expect(whole.end).toBe(total)
    expect(pieces).toBe(text(whole.data))
  })

  rule('at the end and past it there is no data', async (h) => {
    const { sledId } = await running(h)
    const total = await quiet(h, sledId)
    for (const from of [total, total + 1000]) {
      const { data, end } = await read(h.driver, sledId, { from, max: 100 })
      expect({ length: data.length, end }).toEqual({ length: 0, end: total })
    }
  })

  rule('the last bytes are counted from the end; more than there is begins at 0', async (h) => {
    const { sledId } = await running(h)
    const before = await quiet(h, sledId)
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

  rule('two machines have two consoles', async (h) => {
    const { sledId } = await running(h, web)
    await running(h, db)
    const { heard } = await open(h, sledId, 0)
    await h.print(db, bytes('for the other'))
    await h.advance(h.patience)
    expect(heard()).not.toContain('for the other')
  })
}

function retentionRules(rule: Rule) {
  rule('the first and the latest MiB are kept, the middle is dropped, offsets stay', async (h) => {
    const { sledId } = await running(h)
    const before = await quiet(h, sledId)
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
  })

  rule('the log is kept over a reboot', async (h) => {
    const spec = await running(h)
    const before = await quiet(h, spec.sledId)
    const past = await read(h.driver, spec.sledId, { from: 0, max: before })
    await h.driver.ensure(web, { ...spec, reset: 1 })
    await untilState(h, web, spec.sledId, 'running')
    expect(await read(h.driver, spec.sledId, { from: 0, max: before })).toEqual(past)
    expect(await quiet(h, spec.sledId)).toBeGreaterThan(before)
  })

  rule('the log is gone when the machine stops, and a new boot begins at 0', async (h) => {
    const spec = await running(h)
    await quiet(h, spec.sledId)
    await h.print(web, bytes('of the first boot'))
    await h.driver.remove(web, spec.sledId, 1)
    await untilState(h, web, spec.sledId, null)
    expect(await h.driver.readConsole(web, spec.sledId, { from: 0, max: 10 })).toBeNull()
    await h.driver.ensure(web, { ...spec, boot: 2 })
    await untilState(h, web, spec.sledId, 'running')
    const total = await quiet(h, spec.sledId)
    const whole = await read(h.driver, spec.sledId, { from: 0, max: total })
    expect(text(whole.data)).not.toContain('of the first boot')
  })
}

function streamRules(rule: Rule) {
  rule('a stream replays the history it is asked for, then follows', async (h) => {
    const { sledId } = await running(h)
    await quiet(h, sledId)
    await h.print(web, bytes('past'))
    await until(
      h,
      'output',
      async () => text((await read(h.driver, sledId, { last: 4, max: 4 })).data) === 'past',
    )
    const [all, some, none] = [
      await open(h, sledId, Infinity),
      await open(h, sledId, 2),
      await open(h, sledId, 0),
    ]
    await h.print(web, bytes('-now'))
    await until(h, 'live output', () => none.heard() === '-now')
    expect(some.heard()).toBe('st-now')
    const { data } = await read(h.driver, sledId, { from: 0, max: MiB })
    expect(all.heard()).toBe(text(data))
  })

  rule('what is typed is echoed, and everyone who looks on sees it', async (h) => {
    const { sledId } = await running(h)
    await quiet(h, sledId)
    const [typist, other] = [await open(h, sledId, 0), await open(h, sledId, 0)]
    typist.stream.write(bytes('hi\r'))
    await until(h, 'the echo', () => /hi\r?\n/.test(other.heard()))
    expect(typist.heard()).toBe(other.heard())
  })

  rule('a closed stream hears nothing, types nothing, and leaves the others alone', async (h) => {
    const { sledId } = await running(h)
    await quiet(h, sledId)
    const [leaver, stayer] = [await open(h, sledId, 0), await open(h, sledId, 0)]
    leaver.stream.close()
    leaver.stream.close()
    leaver.stream.write(bytes('ghost'))
    await h.print(web, bytes('here'))
    await h.advance(h.patience)
    expect(stayer.heard()).toBe('here')
    expect(leaver.heard()).toBe('')
    expect(leaver.ends).toEqual([])
  })
}

function endRules(rule: Rule) {
  rule(
    'a stream goes on over a reboot and ends once, with "VM stopped", when the machine stops',
    async (h) => {
      const spec = await running(h)
      const { ends, stream } = await open(h, spec.sledId, 0)
      await h.driver.ensure(web, { ...spec, reset: 1 })
      await untilState(h, web, spec.sledId, 'running')
      expect(ends).toEqual([])
      await h.driver.remove(web, spec.sledId, 1)
      await untilState(h, web, spec.sledId, null)
      await until(h, 'the end', () => ends.length > 0)
      stream.write(bytes('late'))
      stream.close()
      expect(ends).toEqual(['VM stopped'])
    },
  )

  rule('a stream ends when the machine fails, is replaced, or its sled does not answer', async (h) => {
    const spec = await running(h)
    const first = await open(h, spec.sledId, 0)
    await h.driver.ensure(web, { ...spec, boot: 2 })
    await until(h, 'the end by replacement', () => first.ends.length === 1)
    await untilState(h, web, spec.sledId, 'running')

    const second = await open(h, spec.sledId, 0)
    await h.loseSled(spec.sledId)
    await until(h, 'the end by loss of the sled', () => second.ends.length === 1)
    await h.restoreSled(spec.sledId)

    const third = await open(h, spec.sledId, 0)
    await h.crash(web, 'out of luck')
    await until(h, 'the end by failure', () => third.ends.length === 1)
  })
}
