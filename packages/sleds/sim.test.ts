import { describe, expect, it } from 'vitest'
import { manualClock } from './manual-clock.ts'
import { createSimulatedSleds } from './sim.ts'
import type { SimulationOptions } from './simulation.ts'
import { realClock } from './suite/real-clock.ts'
import { simulatedHarness } from './suite/simulated-harness.ts'
import { sledSuite } from './suite/suite.ts'
import { follow, running, specOf, untilState, web } from './suite/suite-harness.ts'

const bench = (options: Partial<SimulationOptions> = {}) => {
  const clock = manualClock()
  const sleds = createSimulatedSleds({ clock, ...options })
  const harness = simulatedHarness(sleds, clock)
  return { clock, sleds, harness }
}

const noDelays = { start: [0, 0], reboot: [0, 0], stop: [0, 0], greeting: 0, echo: 0 } as const

sledSuite('simulated', async () => bench().harness)
sledSuite('simulated without delays', async () => bench({ timings: noDelays }).harness)

/** Milliseconds from a request until the machine is in the requested state. */
async function timed(random: number, request: 'start' | 'reset' | 'remove') {
  const { clock, sleds, harness } = bench({ random: () => random })
  const spec = await running(harness)
  const { seen } = follow(harness)
  const requested = clock.now()
  if (request === 'start') await sleds.ensure(web, { ...spec, boot: 2 })
  if (request === 'reset') await sleds.ensure(web, { ...spec, reset: 1 })
  if (request === 'remove') await sleds.remove(web, spec.sledId, 1)
  const goal = request === 'remove' ? 'stopped' : 'running'
  for (; clock.now() - requested < 10_000; await clock.advance(1))
    if (seen.some((status) => status.state === goal)) return clock.now() - requested
  throw new Error(`never ${goal}`)
}

describe('simulated timings', () => {
  it.each([
    ['start', 1500, 4000],
    ['reset', 1000, 3000],
    ['remove', 500, 2000],
  ] as const)('a %s takes from %i to %i ms', async (request, min, max) => {
    expect(await timed(0, request)).toBe(min)
    expect(await timed(1, request)).toBe(max)
  })

  it('a machine that is removed while it starts stops immediately', async () => {
    const { sleds, harness } = bench()
    const { states } = follow(harness)
    const spec = await specOf(harness)
    await sleds.ensure(web, spec)
    await sleds.remove(web, spec.sledId, 1)
    await harness.advance(0)
    expect(states()).toEqual(['starting', 'stopped'])
    expect(await sleds.inspect(web, spec.sledId)).toBeNull()
  })

  it('has no pending timers after the last machine is removed', async () => {
    const { clock, sleds, harness } = bench()
    const { sledId } = await running(harness)
    await sleds.remove(web, sledId, 1)
    await clock.advance(10_000)
    expect(clock.pending()).toBe(0)
  })
})

describe('simulated failures', () => {
  it('a start fails once with the given reason', async () => {
    const { sleds, harness } = bench()
    const { seen, states } = follow(harness)
    const spec = await specOf(harness)
    sleds.failNextStart(web, 'no room for 2 GiB in the reservoir')
    await sleds.ensure(web, spec)
    await untilState(harness, web, spec.sledId, 'failed')
    await harness.advance(0)
    expect(states()).toEqual(['starting', 'failed'])
    expect(seen.at(-1)?.reason).toBe('no room for 2 GiB in the reservoir')
    await sleds.ensure(web, { ...spec, boot: 2 })
    await untilState(harness, web, spec.sledId, 'running')
  })

  it('a crash is reported with its exact reason', async () => {
    const { sleds, harness } = bench()
    const { sledId } = await running(harness)
    sleds.crash(web, 'the monitor ended unexpectedly')
    expect(await sleds.inspect(web, sledId)).toMatchObject({ reason: 'the monitor ended unexpectedly' })
  })

  it('a machine is on one sled only, and a newer boot may move it', async () => {
    const { sleds, harness } = bench()
    const [here, there] = (await sleds.hardware()).sleds.map((sled) => sled.id)
    if (!here || !there) throw new Error('the rack is too small')
    const spec = await running(harness, web, { sledId: here })
    expect(await sleds.inspect(web, there)).toBeNull()
    await sleds.remove(web, there, 1)
    expect(await sleds.inspect(web, here)).toMatchObject({ state: 'running' })
    sleds.loseSled(here)
    await sleds.ensure(web, { ...spec, boot: 2, sledId: there })
    await untilState(harness, web, there, 'running')
    sleds.restoreSled(here)
    expect(await sleds.inspect(web, here)).toBeNull()
  })

  it('an unreachable sled is not in the report, and is there again as it was', async () => {
    const { sleds } = bench({ rack: { sleds: 2 } })
    const rack = (await sleds.hardware()).sleds
    sleds.loseSled(rack[0]?.id ?? '')
    expect((await sleds.hardware()).sleds).toEqual(rack.slice(1))
    sleds.restoreSled(rack[0]?.id ?? '')
    expect((await sleds.hardware()).sleds).toEqual(rack)
  })

  it('a failed machine prints nothing and cannot fail again', async () => {
    const { clock, sleds, harness } = bench()
    const spec = await specOf(harness)
    await sleds.ensure(web, spec)
    sleds.crash(web, 'first')
    expect(clock.pending()).toBe(0)
    sleds.crash(web, 'second')
    expect(await sleds.inspect(web, spec.sledId)).toMatchObject({ state: 'failed', reason: 'first' })
    expect(await sleds.readConsole(web, spec.sledId, { from: 0, max: 1 })).toBeNull()
  })

  it('a machine that crashes while it is removed stops and does not fail', async () => {
    const { sleds, harness } = bench()
    const { states, untilLast } = follow(harness)
    const { sledId } = await running(harness)
    await sleds.remove(web, sledId, 1)
    sleds.crash(web, 'too late')
    await untilLast('stopped')
    expect(states()).toEqual(['starting', 'running', 'stopping', 'stopped'])
  })

  it('a watcher may start the next boot when the machine ends', async () => {
    const { sleds, harness } = bench()
    const spec = await running(harness)
    const again = () => void sleds.ensure(web, { ...spec, boot: 2 })
    await sleds.openConsole({ id: web, sledId: spec.sledId }, { last: 0 }, { data: () => {}, closed: again })
    await sleds.remove(web, spec.sledId, 1)
    await harness.advance(harness.maxWaitMs)
    expect(await sleds.inspect(web, spec.sledId)).toMatchObject({ boot: 2, state: 'running' })
  })

  it('a failure of an unknown machine does nothing', async () => {
    const { clock, sleds } = bench()
    sleds.crash(web, 'x')
    sleds.guestShutdown(web)
    sleds.forget(web)
    sleds.print(web, Uint8Array.of(120))
    sleds.restoreSled('never lost')
    expect(clock.pending()).toBe(0)
  })

  it('a restarted rack has lost its machines, and ensuring the same boot starts them', async () => {
    const { clock, sleds, harness } = bench()
    const spec = await running(harness)
    const before = await sleds.inspect(web, spec.sledId)
    // A restart takes its time.
    await harness.advance(1)
    const restarted = createSimulatedSleds({ clock })
    expect(await restarted.inspect(web, spec.sledId)).toBeNull()
    await restarted.ensure(web, spec)
    const after = await restarted.inspect(web, spec.sledId)
    expect(after).toMatchObject({ state: 'starting', boot: spec.boot })
    expect(after?.seq).toBeGreaterThan(before?.seq ?? NaN)
  })
})

describe('simulated machines', () => {
  it('print their boot log, and the login prompt one second after they run', async () => {
    const { clock, sleds, harness } = bench({ random: () => 0 })
    const spec = await specOf(harness, { hostname: 'db-7' })
    const screen = async () => {
      const chunk = await sleds.readConsole(web, spec.sledId, { from: 0, max: 100_000 })
      return chunk && chunk !== 'dropped' ? new TextDecoder().decode(chunk.data) : ''
    }
    await sleds.ensure(web, spec)
    await clock.advance(1500 + 999)
    expect(await screen()).toContain('System is up')
    expect(await screen()).not.toContain('login:')
    await clock.advance(1)
    expect(await screen()).toMatch(/db-7 login: $/)
  })

  it('also run on the real clock', async () => {
    const { sleds, harness } = bench({ clock: realClock, timings: { ...noDelays, start: [5, 10] } })
    const real = {
      ...harness,
      advance: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
    }
    const { states, untilLast } = follow(real)
    const { sledId } = await running(real)
    await sleds.remove(web, sledId, 1)
    await untilLast('stopped')
    expect(states()).toEqual(['starting', 'running', 'stopping', 'stopped'])
  })
})
