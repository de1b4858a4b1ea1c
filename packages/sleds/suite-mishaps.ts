import { SledUnreachable } from '@purlin/core/ports'
import { expect } from 'vitest'
import { follow, running, specOf, untilState, web, type Rule } from './suite-world.ts'

/** The rules of what goes wrong, and of who hears of it. */
export function mishapRules(rule: Rule) {
  failureRules(rule)
  sledRules(rule)
  watchRules(rule)
}

function failureRules(rule: Rule) {
  rule('a crash is reported as failed, with a reason', async (h) => {
    const { seen, untilLast } = follow(h)
    await running(h)
    await h.crash(web, 'out of luck')
    await untilLast('failed')
    expect(seen.at(-1)?.reason).toBeTruthy()
  })

  rule('asking again for the boot that failed does not revive it', async (h) => {
    const spec = await running(h)
    await h.crash(web, 'out of luck')
    await untilState(h, web, spec.sledId, 'failed')
    await h.driver.ensure(web, { ...spec, reset: 1 })
    await h.advance(h.patience)
    expect(await h.driver.inspect(web, spec.sledId)).toMatchObject({ state: 'failed' })
  })

  rule('removing a machine that failed ends in stopped and forgets it', async (h) => {
    const { untilLast } = follow(h)
    const { sledId } = await running(h)
    await h.crash(web, 'out of luck')
    await untilState(h, web, sledId, 'failed')
    await h.driver.remove(web, sledId, 1)
    await untilState(h, web, sledId, null)
    await untilLast('stopped')
  })

  rule('a shutdown inside the guest ends in stopped and says whose wish it was', async (h) => {
    const { states, seen, untilLast } = follow(h)
    await running(h)
    await h.guestShutdown(web)
    await untilLast('stopped')
    expect(seen.at(-1)?.guestShutdown).toBe(true)
    expect(states().filter((state) => state !== 'stopping')).toEqual(['starting', 'running', 'stopped'])
  })

  rule('a machine shut down inside stays known and stopped until it is removed', async (h) => {
    const spec = await running(h)
    await h.guestShutdown(web)
    await untilState(h, web, spec.sledId, 'stopped')
    await h.driver.ensure(web, spec)
    await h.advance(h.patience)
    expect(await h.driver.inspect(web, spec.sledId)).toMatchObject({ state: 'stopped', guestShutdown: true })
    const { seen, untilLast } = follow(h)
    await h.driver.remove(web, spec.sledId, 1)
    await untilState(h, web, spec.sledId, null)
    await untilLast('stopped')
    expect(seen.at(-1)?.guestShutdown).toBe(true)
  })
}

function sledRules(rule: Rule) {
  rule(
    'a sled that does not answer says so to every call, which is no evidence about its machines',
    async (h) => {
      const spec = await running(h)
      await h.loseSled(spec.sledId)
      const { driver } = h
      const to = { data: () => {}, closed: () => {} }
      for (const call of [
        () => driver.ensure(web, { ...spec, boot: 2 }),
        () => driver.remove(web, spec.sledId, 1),
        () => driver.inspect(web, spec.sledId),
        () => driver.samples(spec.sledId, null),
        () => driver.readConsole(web, spec.sledId, { from: 0, max: 1 }),
        () => driver.openConsole({ id: web, sledId: spec.sledId }, 0, to),
      ])
        await expect(call()).rejects.toBeInstanceOf(SledUnreachable)
      await h.restoreSled(spec.sledId)
      expect(await driver.inspect(web, spec.sledId)).toMatchObject({ state: 'running', boot: 1 })
    },
  )

  rule('a sled that nobody knows does not answer', async (h) => {
    const spec = await specOf(h)
    const nowhere = { ...spec, sledId: '00000000-0000-4000-8000-000000000000' }
    await expect(h.driver.ensure(web, nowhere)).rejects.toBeInstanceOf(SledUnreachable)
  })

  rule('what happened on a sled while it did not answer is reported when it does', async (h) => {
    const { sledId } = await running(h)
    const { seen, untilLast } = follow(h)
    await h.loseSled(sledId)
    await h.crash(web, 'out of luck')
    await h.advance(h.patience)
    expect(seen).toEqual([])
    await h.restoreSled(sledId)
    await untilLast('failed')
  })
}

function watchRules(rule: Rule) {
  rule('every watcher hears everything', async (h) => {
    const [one, two] = [follow(h), follow(h)]
    await running(h)
    await Promise.all([one.untilLast('running'), two.untilLast('running')])
    expect(one.seen).toHaveLength(2)
    expect(two.seen).toEqual(one.seen)
  })

  rule('a watcher that ended hears nothing more, and the others go on', async (h) => {
    const [one, two] = [follow(h), follow(h)]
    one.end()
    one.end()
    await running(h)
    await two.untilLast('running')
    expect(one.seen).toEqual([])
    expect(two.states()).toEqual(['starting', 'running'])
  })

  rule('a watcher that another one ends hears nothing more', async (h) => {
    let end = () => {}
    h.driver.watch(() => end())
    const ended = follow(h)
    end = ended.end
    const { untilLast } = follow(h)
    await running(h)
    await untilLast('running')
    expect(ended.seen).toEqual([])
  })

  rule('reports come after the call that caused them, not inside it', async (h) => {
    const spec = await specOf(h)
    const { seen } = follow(h)
    const asked = h.driver.ensure(web, spec)
    expect(seen).toEqual([])
    await asked
    await untilState(h, web, spec.sledId, 'running')
  })
}
