import { expect } from 'vitest'
import { db, follow, running, specOf, until, untilState, web, type Rule } from './suite-harness.ts'

/** The rules for starting, resetting and removing machines. */
export function lifecycleRules(rule: Rule) {
  startRules(rule)
  removeRules(rule)
  resetRules(rule)
  bootRules(rule)
}

function startRules(rule: Rule) {
  rule('an ensured machine starts, then runs', async (h) => {
    const { states, untilLast } = follow(h)
    await running(h)
    await untilLast('running')
    expect(states()).toEqual(['starting', 'running'])
  })

  rule('a machine keeps its hardware over boots', async (h) => {
    const spec = await running(h)
    const first = (await h.driver.inspect(web, spec.sledId))?.machineType
    expect(first).toBeDefined()
    const next = { ...spec, boot: 2, machineType: first ?? '' }
    await h.driver.ensure(web, next)
    await until(h, 'the second boot', async () => {
      const status = await h.driver.inspect(web, spec.sledId)
      return status?.boot === 2 && status.state === 'running'
    })
    expect(await h.driver.inspect(web, spec.sledId)).toMatchObject({ machineType: first })
  })

  rule('ensuring twice starts one machine once', async (h) => {
    const { states, seen } = follow(h)
    const spec = await specOf(h)
    await Promise.all([h.driver.ensure(web, spec), h.driver.ensure(web, spec)])
    await untilState(h, web, spec.sledId, 'running')
    await h.driver.ensure(web, spec)
    await h.advance(h.maxWaitMs)
    expect(states()).toEqual(['starting', 'running'])
    expect(seen).toHaveLength(2)
  })

  rule('every report has machine, sled, boot and reset', async (h) => {
    const { seen, untilLast } = follow(h)
    const { sledId } = await running(h, web, { boot: 7, reset: 3 })
    await untilLast('running')
    for (const status of seen) expect(status).toMatchObject({ id: web, sledId, boot: 7, reset: 3 })
  })

  rule('seq increases with every report of a boot', async (h) => {
    const { seen, untilLast } = follow(h)
    const spec = await running(h)
    await h.driver.ensure(web, { ...spec, reset: 1 })
    await untilState(h, web, spec.sledId, 'running')
    await h.driver.remove(web, spec.sledId, 1)
    await untilLast('stopped')
    expect(seen.length).toBeGreaterThanOrEqual(5)
    for (const [i, { seq }] of seen.entries()) if (i > 0) expect(seq).toBeGreaterThan(seen[i - 1]?.seq ?? NaN)
  })

  rule('inspect returns the last report', async (h) => {
    const { seen, untilLast } = follow(h)
    const { sledId } = await running(h)
    await untilLast('running')
    expect(await h.driver.inspect(web, sledId)).toEqual(seen.at(-1))
  })

  rule('inspect returns null for an unknown machine', async (h) => {
    const { sledId } = await specOf(h)
    expect(await h.driver.inspect(web, sledId)).toBeNull()
  })
}

function removeRules(rule: Rule) {
  rule('removing an unknown machine does nothing and reports nothing', async (h) => {
    const { seen } = follow(h)
    const { sledId } = await specOf(h)
    await h.driver.remove(web, sledId, 1)
    await h.advance(h.maxWaitMs)
    expect(seen).toEqual([])
  })

  rule('a removed machine stops and is then unknown', async (h) => {
    const { states, untilLast } = follow(h)
    const { sledId } = await running(h)
    await h.driver.remove(web, sledId, 1)
    await untilState(h, web, sledId, null)
    await untilLast('stopped')
    expect(states()).toEqual(['starting', 'running', 'stopping', 'stopped'])
  })

  rule('removing twice stops once', async (h) => {
    const { seen } = follow(h)
    const { sledId } = await running(h)
    await Promise.all([h.driver.remove(web, sledId, 1), h.driver.remove(web, sledId, 1)])
    await h.driver.remove(web, sledId, 1)
    await h.advance(h.maxWaitMs)
    expect(seen.filter((status) => status.state === 'stopped')).toHaveLength(1)
  })

  rule('a removal is not reported as a guest shutdown', async (h) => {
    const { seen, untilLast } = follow(h)
    const { sledId } = await running(h)
    await h.driver.remove(web, sledId, 1)
    await untilLast('stopped')
    expect(seen.at(-1)?.guestShutdown ?? false).toBe(false)
  })

  rule('a machine that is removed while it starts never runs', async (h) => {
    const { states, seen } = follow(h)
    const spec = await specOf(h)
    await h.driver.ensure(web, spec)
    await h.driver.remove(web, spec.sledId, 1)
    await untilState(h, web, spec.sledId, null)
    await h.advance(h.maxWaitMs)
    expect(states()).not.toContain('running')
    expect(seen.at(-1)?.state).toBe('stopped')
  })

  rule('a machine that is removed while it reboots does not run again', async (h) => {
    const spec = await running(h)
    const { states, untilLast } = follow(h)
    await h.driver.ensure(web, { ...spec, reset: 1 })
    await h.driver.remove(web, spec.sledId, 1)
    await h.advance(h.maxWaitMs)
    await untilLast('stopped')
    expect(states()).not.toContain('running')
  })

  rule('removing one machine does not affect others', async (h) => {
    const { sledId } = await running(h, web)
    await running(h, db)
    await h.driver.remove(web, sledId, 1)
    await untilState(h, web, sledId, null)
    expect(await h.driver.inspect(db, sledId)).toMatchObject({ state: 'running' })
  })
}

function resetRules(rule: Rule) {
  rule('a newer reset reboots the running machine within its boot', async (h) => {
    const { states, seen } = follow(h)
    const spec = await running(h)
    await h.driver.ensure(web, { ...spec, reset: 1 })
    await until(
      h,
      'running after the reset',
      () => seen.at(-1)?.state === 'running' && seen.at(-1)?.reset === 1,
    )
    expect(states()).toEqual(['starting', 'running', 'rebooting', 'running'])
    expect(seen.at(-1)).toMatchObject({ boot: 1, reset: 1 })
  })

  rule('a reset that is not newer is ignored', async (h) => {
    const spec = await running(h, web, { reset: 2 })
    const { seen } = follow(h)
    await h.driver.ensure(web, { ...spec, reset: 2 })
    await h.driver.ensure(web, { ...spec, reset: 1 })
    await h.advance(h.maxWaitMs)
    expect(seen).toEqual([])
  })

  rule('a reset requested while the machine starts is done when it runs', async (h) => {
    const spec = await specOf(h)
    await h.driver.ensure(web, spec)
    await h.driver.ensure(web, { ...spec, reset: 1 })
    await until(h, 'running with reset 1', async () => {
      const status = await h.driver.inspect(web, spec.sledId)
      return status?.state === 'running' && status.reset === 1
    })
  })

  rule('a reset does not cancel a removal', async (h) => {
    const spec = await running(h)
    await h.driver.remove(web, spec.sledId, 1)
    await h.driver.ensure(web, { ...spec, reset: 1 })
    const { states } = follow(h)
    await h.advance(h.maxWaitMs)
    expect(states()).not.toContain('running')
  })
}

function bootRules(rule: Rule) {
  rule('a newer boot replaces the machine, and the older boot is not reported again', async (h) => {
    const spec = await running(h)
    const { seen } = follow(h)
    await h.driver.ensure(web, { ...spec, boot: 2 })
    await until(h, 'boot 2 runs', () => seen.some(({ boot, state }) => boot === 2 && state === 'running'))
    await h.advance(h.maxWaitMs)
    const ofNewer = seen.slice(seen.findIndex((status) => status.boot === 2))
    expect(ofNewer.map(({ boot, state }) => `${boot} ${state}`)).toEqual(['2 starting', '2 running'])
  })

  rule('a newer boot replaces a machine that is being removed', async (h) => {
    const spec = await running(h)
    await h.driver.remove(web, spec.sledId, 1)
    await h.driver.ensure(web, { ...spec, boot: 2 })
    await until(h, 'the second boot runs', async () => {
      const status = await h.driver.inspect(web, spec.sledId)
      return status?.boot === 2 && status.state === 'running'
    })
  })

  rule('a newer boot replaces a machine that failed', async (h) => {
    const spec = await running(h)
    await h.crash(web, 'out of luck')
    await untilState(h, web, spec.sledId, 'failed')
    await h.driver.ensure(web, { ...spec, boot: 2 })
    await untilState(h, web, spec.sledId, 'running')
  })

  rule('removing an older boot does not affect the newer one', async (h) => {
    const spec = await running(h, web, { boot: 2 })
    await h.driver.remove(web, spec.sledId, 1)
    await h.advance(h.maxWaitMs)
    expect(await h.driver.inspect(web, spec.sledId)).toMatchObject({ boot: 2, state: 'running' })
  })

  rule('an older boot is ignored', async (h) => {
    const spec = await running(h, web, { boot: 5 })
    const { seen } = follow(h)
    await h.driver.ensure(web, { ...spec, boot: 4, reset: 9 })
    await h.advance(h.maxWaitMs)
    expect(seen).toEqual([])
    expect(await h.driver.inspect(web, spec.sledId)).toMatchObject({ boot: 5, reset: 0, state: 'running' })
  })

  rule('a machine that the sled lost is unknown, and ensuring the same boot starts it again', async (h) => {
    const spec = await running(h)
    const before = await h.driver.inspect(web, spec.sledId)
    const { seen, untilLast } = follow(h)
    await h.forget(web)
    expect(await h.driver.inspect(web, spec.sledId)).toBeNull()
    await h.advance(h.maxWaitMs)
    expect(seen).toEqual([])
    await h.driver.ensure(web, spec)
    await untilLast('running')
    // The control plane drops reports with an older seq.
    for (const status of seen) expect(status.seq).toBeGreaterThan(before?.seq ?? NaN)
  })
}
