import { expect } from 'vitest'
import { running, specOf, until, untilState, web, type Rule, type SledHarness } from './suite-harness.ts'

const version = 'RFB 003.008\n'
const bytes = (s: string) => new TextEncoder().encode(s)

/** A client that collects what it gets, and why it ended. */
async function open(h: SledHarness, sledId: string) {
  const seen = { output: new Uint8Array(), ends: [] as string[] }
  const stream = await h.driver.openDisplay(
    { id: web, sledId },
    {
      data: (part) => (seen.output = Uint8Array.from([...seen.output, ...part])),
      closed: (reason) => void seen.ends.push(reason),
    },
  )
  if (!stream) throw new Error('no such machine')
  await until(h, 'a beginning or an end', () => seen.output.length + seen.ends.length > 0)
  return { seen, stream, hasScreen: seen.output.length > 0 }
}

/** Shakes hands and asks for the picture. */
async function watching(h: SledHarness, sledId: string) {
  const opened = await open(h, sledId)
  const { seen, stream, hasScreen } = opened
  if (!hasScreen) return opened
  const answered = async (what: string, sent: Uint8Array, isThere: () => boolean) => {
    seen.output = new Uint8Array()
    stream.write(sent)
    await until(h, what, isThere)
  }
  await answered('the ways to authenticate', bytes(version), () => seen.output.length >= 2)
  expect([...seen.output]).toEqual([1, 1])
  await answered('the result', Uint8Array.of(1), () => seen.output.length >= 4)
  expect([...seen.output]).toEqual([0, 0, 0, 0])
  await answered('the size', Uint8Array.of(1), () => seen.output.length >= 24)
  const size = new DataView(seen.output.buffer)
  const [width, height] = [size.getUint16(0), size.getUint16(2)]
  expect(Math.min(width, height)).toBeGreaterThan(100)
  const request = Uint8Array.of(3, 0, 0, 0, 0, 0, 0, 16, 0, 16)
  await answered('the picture', request, () => seen.output.length >= 16)
  expect([...seen.output.subarray(0, 2)]).toEqual([0, 0])
  return opened
}

/** The rules for screens. A driver without them says so. */
export function displayRules(rule: Rule) {
  rule('an unknown machine has no screen', async (h) => {
    const { sledId } = await specOf(h)
    const to = { data: () => undefined, closed: () => undefined }
    expect(await h.driver.openDisplay({ id: web, sledId }, to)).toBeNull()
  })

  rule('a machine shows its screen to several clients, or says at once that it has none', async (h) => {
    const { sledId } = await running(h)
    const [first, second] = [await watching(h, sledId), await watching(h, sledId)]
    if (!first.hasScreen) {
      expect(first.seen.ends).toEqual([expect.stringContaining('no screen')])
      first.stream.write(bytes(version))
      first.stream.setPaused(true)
      return first.stream.close()
    }
    first.stream.close()
    first.stream.write(bytes('ghost'))
    second.stream.setPaused(true)
    second.stream.setPaused(false)
    second.seen.output = new Uint8Array()
    second.stream.write(Uint8Array.of(3, 0, 0, 0, 0, 0, 0, 16, 0, 16))
    await until(h, 'another picture', () => second.seen.output.length >= 16)
    expect(first.seen.ends).toEqual([])
  })

  rule(
    'a screen goes on over a reboot and ends once, with "VM stopped", when the machine stops',
    async (h) => {
      const spec = await running(h)
      const { seen, stream, hasScreen } = await open(h, spec.sledId)
      if (!hasScreen) return
      await h.driver.ensure(web, { ...spec, reset: 1 })
      await untilState(h, web, spec.sledId, 'running')
      expect(seen.ends).toEqual([])
      await h.driver.remove(web, spec.sledId, 1)
      await untilState(h, web, spec.sledId, null)
      await until(h, 'the end', () => seen.ends.length > 0)
      stream.write(bytes('late'))
      stream.close()
      expect(seen.ends).toEqual(['VM stopped'])
    },
  )
}
