import { GiB } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { altered, forceRow, instancesOf, rowOf, swift } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { disorder } from '#/testing/state.ts'
import { SledUnreachable } from '#/ports.ts'
import { skipsLong } from '#/testing/samples.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
let vm: ReturnType<typeof instancesOf>
/** Error lines that a test expects; any other fails it. */
let expected: RegExp[]
beforeEach(async () => {
  w = await openWorld({ timings: swift })
  vm = instancesOf(w)
  expected = []
})
afterEach(async () => {
  expect(w.errors.filter((line) => !expected.some((one) => one.test(line)))).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

const second = 1000
const minute = 60 * second
const state = async (name = 'web') => (await vm.view(name)).runState
const idOf = async (name = 'web') => (await vm.view(name)).id
const running = async (name = 'web', more: Parameters<typeof vm.create>[1] = {}) => {
  await vm.create(name, { start: true, ...more })
  await w.advance(200)
  expect(await state(name)).toBe('running')
  return rowOf(w, name)
}
const crash = async (reason = 'smoke', name = 'web') => {
  w.sleds.crash(await idOf(name), reason)
  await w.settle()
}

describe('machines that get lost', () => {
  it('a machine that its sled has forgotten is found out, failed and restarted', async () => {
    await running()
    w.sleds.forget(await idOf())
    await w.settle()
    expect(await state()).toBe('running')
    await w.advance(31 * second)
    expect(await rowOf(w, 'web')).toMatchObject({ runState: 'running', boot: 2 })
  })

  it('and stays failed with the policy never', async () => {
    await running('web', { autoRestartPolicy: 'never' })
    w.sleds.forget(await idOf())
    await w.advance(31 * second)
    expect(await vm.view('web')).toMatchObject({
      runState: 'failed',
      lastError: 'the sled no longer holds this machine',
    })
  })

  it.skipIf(skipsLong())(
    'a sled that does not answer is no evidence: the instance stays running',
    async () => {
      const { sledId } = await running()
      w.sleds.loseSled(sledId ?? '')
      await w.advance(20 * minute)
      expect(await rowOf(w, 'web')).toMatchObject({ runState: 'running', sledId, boot: 1 })
      w.sleds.restoreSled(sledId ?? '')
      await w.advance(6 * minute)
      expect(await rowOf(w, 'web')).toMatchObject({ runState: 'running', boot: 1, attempts: 0 })
    },
  )

  it('the view of an instance says why its state may be out of date', async () => {
    const { sledId } = await running()
    const reason = async () => (await vm.view('web')).waitReason
    expect(await reason()).toBeUndefined()
    w.sleds.loseSled(sledId ?? '')
    await w.settle()
    expect(await reason()).toMatch(/^The sled of this instance does not answer\./)
    w.sleds.restoreSled(sledId ?? '')
    await w.settle()
    expect(await reason()).toBeUndefined()
    const inspect = w.sleds.inspect.bind(w.sleds)
    w.sleds.inspect = () => Promise.reject(new SledUnreachable('no answer'))
    await w.advance(minute)
    expect(await reason()).toMatch(/^The sled of this instance has not carried out/)
    w.sleds.inspect = inspect
    await w.advance(minute)
    expect(await reason()).toBeUndefined()
    await w.plane.loops.stop()
    await w.clock.jump(minute)
    expect(await vm.view('web')).toMatchObject({
      runState: 'running',
      networkMode: 'simulated',
      accelerator: 'simulated',
      waitReason: expect.stringMatching(/^No server/) as string,
    })
    const { items } = await w.as('viewer').instanceList({ query: { project: 'demo' } })
    expect(Object.keys(items[0] ?? {})).not.toContain('waitReason')
  })

  it('a crash on a sled that does not answer is heard when it answers again', async () => {
    const { sledId } = await running('web', { autoRestartPolicy: 'never' })
    w.sleds.loseSled(sledId ?? '')
    await crash('power')
    expect(await state()).toBe('running')
    w.sleds.restoreSled(sledId ?? '')
    await w.settle()
    expect(await vm.view('web')).toMatchObject({ runState: 'failed', lastError: 'power' })
  })

  it('a stop waits for a sled that does not answer', async () => {
    const { sledId } = await running()
    w.sleds.loseSled(sledId ?? '')
    expect(await vm.stop('web')).toMatchObject({ runState: 'stopping' })
    await w.advance(10 * minute)
    expect(await state()).toBe('stopping')
    // The guest is asked, and has some time, though ten minutes are over.
    const asked: number[] = []
    const shutDown = w.sleds.shutDown.bind(w.sleds)
    w.sleds.shutDown = (...args) => {
      if (args[1] === sledId) asked.push(w.clock.now())
      return asked.length === 0 ? shutDown(...args) : Promise.resolve()
    }
    const remove = w.sleds.remove.bind(w.sleds)
    w.sleds.remove = (...args) => {
      expect(w.clock.now()).toBeGreaterThanOrEqual((asked[0] ?? Infinity) + 30 * second)
      return remove(...args)
    }
    w.sleds.restoreSled(sledId ?? '')
    await w.advance(7 * minute)
    expect(await state()).toBe('stopped')
  })

  it('a start waits for a sled that does not answer', async () => {
    let answers = false
    const silent = {
      ...bound(w.sleds),
      ensure: async (...args: Parameters<TestWorld['sleds']['ensure']>) => {
        if (!answers) throw new SledUnreachable('no answer')
        return w.sleds.ensure(...args)
      },
    }
    await w.plane.loops.stop()
    await w.another(silent)
    await vm.create('web')
    await vm.start('web')
    await w.advance(10 * second)
    expect(await state()).toBe('starting')
    answers = true
    await w.advance(6 * minute)
    expect(await rowOf(w, 'web')).toMatchObject({ runState: 'running', boot: 1 })
  })

  it('reports that never arrive are replaced by checks', async () => {
    const watchers: (() => void)[] = []
    const silent = { ...bound(w.sleds), watch: () => () => void watchers.length }
    await w.plane.loops.stop()
    const deaf = await w.another(silent)
    const client = deaf.as('projectCollaborator')
    const query = { project: 'demo' }
    await client.instanceCreate({
      query,
      body: { name: 'web', description: '', ncpus: 1, memory: GiB, hostname: 'web' },
    })
    await w.advance(31 * second)
    expect(await state()).toBe('running')
    await client.instanceStop({ params: { instance: 'web' }, query })
    await w.advance(31 * second)
    expect(await state()).toBe('stopped')
  })
})

it('a machine that no row places where it is, is removed, unless it is newer, moves or has just moved', async () => {
  const web = await running('web')
  const moving = await running('moving')
  const { id: stopped } = await vm.create('stopped')
  await forceRow(w, 'moving', { migrationId: 'a move' })
  const taken = new Set([web.sledId, moving.sledId])
  const elsewhere = (await w.sleds.hardware()).sleds.map(({ id }) => id).find((id) => !taken.has(id)) ?? ''
  const orphans = [
    { id: web.id, boot: 1, state: 'running' as const },
    { id: stopped, boot: 0, state: 'running' as const },
    { id: 'gone', boot: 3, state: 'running' as const },
  ]
  const others = [
    { id: web.id, boot: 2, state: 'running' as const },
    { id: moving.id, boot: 1, state: 'running' as const },
  ]
  let present = [...others, ...orphans]
  let looks = -1
  const moved = { id: 'moved', boot: 1, state: 'running' as const }
  const removed: unknown[] = []
  await w.plane.loops.stop()
  const { plane } = await w.another(
    altered(w.sleds, {
      machines: async (sledId) => {
        if (sledId !== elsewhere) return w.sleds.machines(sledId)
        return looks++ === 0 ? [...present, moved] : present
      },
      remove: async (id, sledId, boot) => {
        removed.push([id, sledId, boot])
        present = present.filter((one) => one.id !== id || one.boot !== boot)
      },
    }),
  )
  await w.advance(minute)
  expect(removed).toEqual(orphans.map(({ id, boot }) => [id, elsewhere, boot]))
  // The folder belongs to another database now, and so may the machines.
  Object.assign(plane.world.blobs, { readOnly: 'of another database' })
  present = [...others, ...orphans]
  await w.advance(2 * minute)
  expect(removed).toHaveLength(orphans.length)
  await forceRow(w, 'moving', { migrationId: null })
})

/** A driver as plain functions, for tests that replace one of them. */
function bound(sleds: TestWorld['sleds']): TestWorld['sleds'] {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(sleds)) as (keyof TestWorld['sleds'])[]
  const entries = names.map((name) => [name, (sleds[name] as (...args: unknown[]) => unknown).bind(sleds)])
  const { switches } = sleds
  return { ...Object.fromEntries(entries), keepsBytes: () => false, switches } as TestWorld['sleds']
}

describe('late reports', () => {
  const report = async (change: object) => {
    const row = await rowOf(w, 'web')
    const status = {
      id: row.id,
      sledId: row.sledId ?? '',
      boot: row.boot,
      reset: row.reset,
      seq: row.seq + 1,
      storage: 0,
      state: 'running' as const,
    }
    for (const watcher of watchers) watcher({ ...status, ...change })
    await w.settle()
  }
  let watchers: ((status: Parameters<Parameters<TestWorld['sleds']['watch']>[0]>[0]) => void)[]
  beforeEach(async () => {
    watchers = []
    const sleds = {
      ...bound(w.sleds),
      watch: (fn: (typeof watchers)[number]) => (watchers.push(fn), w.sleds.watch(fn)),
    }
    await w.plane.loops.stop()
    await w.another(sleds)
    await vm.create('web', { autoRestartPolicy: 'never' })
    await inDb(w, (tx) => tx.updateTable('instance').set({ dueAt: null }).execute())
    const view = await vm.start('web')
    expect(view.runState).toBe('starting')
  })

  it('of this boot change the state', async () => {
    await report({ state: 'failed', reason: 'melted' })
    expect(await vm.view('web')).toMatchObject({ runState: 'failed', lastError: 'melted' })
  })

  it.each<[string, object]>([
    ['of an older boot', { boot: 0, state: 'failed' }],
    ['of another sled', { sledId: 'elsewhere', state: 'failed' }],
    ['that are older than one taken in', { seq: 0, state: 'failed' }],
    ['of an unknown machine', { id: 'ffffffff-0000-4000-8000-000000000000', state: 'failed' }],
  ])('%s change nothing', async (_, change) => {
    const before = await rowOf(w, 'web')
    await report(change)
    expect(await rowOf(w, 'web')).toEqual(before)
  })

  it('of a failure while it should stop: it is stopped, not failed', async () => {
    await vm.stop('web')
    await report({ state: 'failed', reason: 'melted' })
    expect(await vm.view('web')).toMatchObject({ runState: 'stopped', lastError: null })
  })

  it('that it runs do not undo a requested stop or reset', async () => {
    await report({})
    expect(await state()).toBe('running')
    await vm.reboot('web')
    await report({ reset: 0 })
    expect(await state()).toBe('rebooting')
    await vm.stop('web')
    await report({})
    expect(await state()).toBe('stopping')
  })
})
