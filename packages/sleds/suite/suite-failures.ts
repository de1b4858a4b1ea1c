import { SledUnreachable } from '@purlin/core/ports'
import { expect } from 'vitest'
import { follow, running, specOf, untilState, web, type Rule } from './suite-harness.ts'

/** The rules for failures, and for reports to watchers. */
export function failureRules(rule: Rule) {
  machineRules(rule)
  sledRules(rule)
  watchRules(rule)
}

function machineRules(rule: Rule) {
  rule('a crash is reported as failed, with a reason', async (h) => {
    const { seen, untilLast } = follow(h)
    await running(h)
    await h.crash(web, 'out of luck')
    await untilLast('failed')
    expect(seen.at(-1)?.reason).toBeTruthy()
  })

  rule('ensuring a boot that failed again does not restart it', async (h) => {
    const spec = await running(h)
    await h.crash(web, 'out of luck')
    await untilState(h, web, spec.sledId, 'failed')
    await h.driver.ensure(web, { ...spec, reset: 1 })
    await h.advance(h.maxWaitMs)
    expect(await h.driver.inspect(web, spec.sledId)).toMatchObject({ state: 'failed' })
  })

  rule('removing a failed machine reports stopped and forgets it', async (h) => {
    const { untilLast } = follow(h)
    const { sledId } = await running(h)
    await h.crash(web, 'out of luck')
    await untilState(h, web, sledId, 'failed')
    await h.driver.remove(web, sledId, 1)
    await untilState(h, web, sledId, null)
    await untilLast('stopped')
  })

  rule('a shutdown by the guest ends in stopped and is reported as such', async (h) => {
    const { states, seen, untilLast } = follow(h)
    await running(h)
    await h.guestShutdown(web)
    await untilLast('stopped')
    expect(seen.at(-1)?.guestShutdown).toBe(true)
    expect(states().filter((state) => state !== 'stopping')).toEqual(['starting', 'running', 'stopped'])
  })

  rule('a machine that its guest shut down stays known and stopped until it is removed', async (h) => {
    const spec = await running(h)
    await h.guestShutdown(web)
    await untilState(h, web, spec.sledId, 'stopped')
    await h.driver.ensure(web, spec)
    await h.advance(h.maxWaitMs)
    expect(await h.driver.inspect(web, spec.sledId)).toMatchObject({ state: 'stopped', guestShutdown: true })
    const { seen, untilLast } = follow(h)
    await h.driver.remove(web, spec.sledId, 1)
    await untilState(h, web, spec.sledId, null)
    await untilLast('stopped')
    expect(seen.at(-1)?.guestShutdown).toBe(true)
  })
}

function sledRules(rule: Rule) {
  rule('every call to an unreachable sled throws, and its machines are unaffected', async (h) => {
    const spec = await running(h)
    await h.loseSled(spec.sledId)
    const { driver } = h
    const to = { data: () => {}, closed: () => {} }
    for (const call of [
      () => driver.ensure(web, { ...spec, boot: 2 }),
      () => driver.remove(web, spec.sledId, 1),
      () => driver.shutDown(web, spec.sledId, 1),
      () => driver.setLayers(web, spec.sledId, { boot: 1, storage: 1, disks: [] }),
      () => driver.machines(spec.sledId),
      () => driver.inspect(web, spec.sledId),
      () => driver.samples(spec.sledId, null),
      () => driver.readConsole(web, spec.sledId, { from: 0, max: 1 }),
      () => driver.openConsole({ id: web, sledId: spec.sledId }, { last: 0 }, to),
    ])
      await expect(call()).rejects.toBeInstanceOf(SledUnreachable)
    await h.restoreSled(spec.sledId)
    expect(await driver.inspect(web, spec.sledId)).toMatchObject({ state: 'running', boot: 1 })
  })

  rule('an unknown sled is unreachable', async (h) => {
    const spec = await specOf(h)
    const elsewhere = { ...spec, sledId: '00000000-0000-4000-8000-000000000000' }
    await expect(h.driver.ensure(web, elsewhere)).rejects.toBeInstanceOf(SledUnreachable)
  })

  rule('changes on an unreachable sled are reported when it is reachable again', async (h) => {
    const { sledId } = await running(h)
    const { seen, untilLast } = follow(h)
    await h.loseSled(sledId)
    await h.crash(web, 'out of luck')
    await h.advance(h.maxWaitMs)
    expect(seen).toEqual([])
    await h.restoreSled(sledId)
    await untilLast('failed')
  })
}

function watchRules(rule: Rule) {
  rule('every watcher gets all reports', async (h) => {
    const [one, two] = [follow(h), follow(h)]
    await running(h)
    await Promise.all([one.untilLast('running'), two.untilLast('running')])
    expect(one.seen).toHaveLength(2)
    expect(two.seen).toEqual(one.seen)
  })

  rule('a watcher that ended gets no more reports, and the others do', async (h) => {
    const [one, two] = [follow(h), follow(h)]
    one.end()
    one.end()
    await running(h)
    await two.untilLast('running')
    expect(one.seen).toEqual([])
    expect(two.states()).toEqual(['starting', 'running'])
  })

  rule('a watcher that is ended by another one gets no more reports', async (h) => {
    let end = () => {}
    h.driver.watch(() => end())
    const ended = follow(h)
    end = ended.end
    const { untilLast } = follow(h)
    await running(h)
    await untilLast('running')
    expect(ended.seen).toEqual([])
  })

  rule('reports are delivered after the call that caused them, not during it', async (h) => {
    const spec = await specOf(h)
    const { seen } = follow(h)
    const ensured = h.driver.ensure(web, spec)
    expect(seen).toEqual([])
    await ensured
    await untilState(h, web, spec.sledId, 'running')
  })
}
