import { GiB } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addGroup, instancesOf, rowOf, sledRows, swift, type NewInstance } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { disorder, rejectsIn } from '#/testing/state.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
let vm: ReturnType<typeof instancesOf>
/** ids of the sleds, in order */
let sleds: string[]

async function open(rack: NonNullable<Parameters<typeof openWorld>[0]>['rack'] = {}): Promise<void> {
  w = await openWorld({
    timings: swift,
    rack: { sleds: 3, usableHardwareThreads: 8, reservoirSize: 16 * GiB, ...rack },
  })
  vm = instancesOf(w)
  sleds = (await sledRows(w)).map((sled) => sled.id)
}
afterEach(async () => {
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

/** Starts an instance and says on which sled it is, by position. */
async function placed(name: string, more: Partial<NewInstance> = {}): Promise<number> {
  await vm.create(name, more)
  return started(name)
}
async function started(name: string): Promise<number> {
  await vm.start(name)
  return sleds.indexOf((await rowOf(w, name)).sledId ?? '')
}
/** Leaves room on one sled only while `work` is done, so that what starts lands there. */
async function onSled<T>(at: number, work: () => Promise<T>): Promise<T> {
  await only([at])
  const value = await work()
  await only(sleds.map((_, i) => i))
  return value
}
const only = (open: number[]) =>
  inDb(w, async (tx) => {
    for (const [i, id] of sleds.entries()) {
      const provisionPolicy = open.includes(i) ? 'provisionable' : 'non_provisionable'
      await tx.updateTable('sled').set({ provisionPolicy }).where('id', '=', id).execute()
    }
  })
const rejects = rejectsIn(() => w)
const rejected = (name: string, reason: object) => rejects(() => vm.start(name), reason)
const failed = (reason: string) => ({
  status: 507,
  code: 'InsufficientCapacity',
  message: `Insufficient capacity: Failed to place instance: ${reason}`,
})
const noSled = (why: string) =>
  failed(
    `Could not find any valid sled on which this instance can be placed. ${why}, or start it again later.`,
  )
const noRoom = (size: string) => noSled(`No sled has ${size} of memory free. Make the instance smaller`)
const kept = (groups: string) =>
  noSled(
    `Every sled with enough capacity has another member of an anti-affinity group whose policy is fail: ${groups}. Take the instance out of the group`,
  )

describe('room', () => {
  beforeEach(() => open())

  it('a thread per vCPU, no overcommit', async () => {
    for (const name of ['a', 'b', 'c']) expect(await placed(name, { ncpus: 8 })).toBeGreaterThanOrEqual(0)
    expect((await sledRows(w)).map((sled) => sled.usedThreads)).toEqual([8, 8, 8])
    await vm.create('d', { ncpus: 1 })
    await rejected('d', noRoom('1 vCPU and 1 GiB'))
  })

  it('memory comes from the reservoir', async () => {
    for (const name of ['a', 'b', 'c']) await placed(name, { memory: 16 * GiB })
    await vm.create('d', { memory: GiB })
    await rejected('d', noRoom('1 vCPU and 1 GiB'))
    await vm.stop('a')
    await w.advance(300)
    expect(await started('d')).toBeGreaterThanOrEqual(0)
  })

  it('a sled that is not provisionable is not used', async () => {
    await only([1])
    expect(await placed('a')).toBe(1)
    await only([])
    await vm.create('b')
    await rejected('b', noSled('No sled accepts instances now. Ask an operator to open one'))
  })

  it('a system without sleds asks for a host', async () => {
    await w.world.engine.transaction('write', (tx) =>
      tx.updateTable('sled').set({ policy: 'expunged' }).execute(),
    )
    await vm.create('a')
    await rejected('a', noSled('The system has no sled. Ask an operator to add a host'))
  })

  it('one of several equal sleds is chosen at random', async () => {
    const seen = new Set<number>()
    for (let i = 0; i < 24; i++) seen.add(await placed(`i${i}`, { networkInterfaces: { type: 'none' } }))
    expect(seen).toEqual(new Set([0, 1, 2]))
  })
})

describe('processors', () => {
  const families = ['amd_milan', 'amd_turin', 'amd_turin_dense'] as const
  beforeEach(() => open({ cpuFamilies: families, usableHardwareThreads: 64 }))

  const reachable = async (cpuPlatform: 'amd_milan' | 'amd_turin' | null) => {
    const rows = await sledRows(w)
    const seen = new Set<string>()
    for (const [at, sled] of rows.entries()) {
      await only([at])
      await vm.create(`i${at}`, { cpuPlatform })
      await vm.start(`i${at}`).then(
        () => seen.add(sled.cpuFamily),
        (error: unknown) =>
          expect(error).toMatchObject(
            noSled(
              `No sled that takes instances can run the CPU platform ${cpuPlatform}. Ask for another platform`,
            ),
          ),
      )
    }
    return seen
  }
  it('amd_milan runs on Milan and Turin', async () => {
    expect(await reachable('amd_milan')).toEqual(new Set(['amd_milan', 'amd_turin']))
  })
  it('amd_turin runs on Turin only', async () => {
    expect(await reachable('amd_turin')).toEqual(new Set(['amd_turin']))
  })
  it('null runs anywhere, dense Turin included', async () => {
    expect(await reachable(null)).toEqual(new Set(families))
  })
})

describe('groups', () => {
  beforeEach(() => open())
  const group = (
    name: string,
    kind: 'affinity' | 'anti_affinity',
    policy: 'allow' | 'fail',
    members: string[],
  ) => addGroup(w, { name, kind, policy, members })

  it('anti-affinity fail: never on the sled of another member', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await vm.create(name)
    await group('apart', 'anti_affinity', 'fail', ['a', 'b', 'c', 'd'])
    const found = [await started('a'), await started('b'), await started('c')]
    expect(new Set(found)).toEqual(new Set([0, 1, 2]))
    await rejected('d', kept('"apart"'))
  })

  it('anti-affinity allow: on another sled while there is one', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await vm.create(name)
    await group('apart', 'anti_affinity', 'allow', ['a', 'b', 'c', 'd'])
    const found = [await started('a'), await started('b'), await started('c')]
    expect(new Set(found)).toEqual(new Set([0, 1, 2]))
    expect(await started('d')).toBeGreaterThanOrEqual(0)
  })

  it('affinity fail: on the sled of the other members, or not at all', async () => {
    await onSled(2, () => placed('a'))
    await vm.create('b')
    await vm.create('large', { ncpus: 8 })
    await group('together', 'affinity', 'fail', ['a', 'b', 'large'])
    for (let i = 0; i < 5; i++) {
      expect(await started('b')).toBe(2)
      await vm.stop('b')
      await w.advance(300)
    }
    const one =
      'All members of an affinity group whose policy is fail must be on one sled: "together". That sled'
    const orLater = 'Take the instance out of the group, or start it again later.'
    await rejected('large', failed(`${one} has less than 8 vCPUs and 1 GiB of memory free. ${orLater}`))
    await only([0, 1])
    await rejected('b', failed(`${one} accepts no more instances. ${orLater}`))
    await only([0, 1, 2])
    await vm.create('modern', { cpuPlatform: 'amd_turin' })
    await group('modern', 'affinity', 'fail', ['a', 'modern'])
    const platform = 'Take the instance out of the group, or ask for another platform.'
    await rejected(
      'modern',
      failed(`${one.replace('together', 'modern')} cannot run the CPU platform amd_turin. ${platform}`),
    )
  })

  it('affinity allow: with the other members while there is room, elsewhere after', async () => {
    await onSled(1, () => placed('a'))
    await vm.create('b')
    await vm.create('large', { ncpus: 8 })
    await group('together', 'affinity', 'allow', ['a', 'b', 'large'])
    expect(await started('b')).toBe(1)
    expect([0, 2]).toContain(await started('large'))
  })

  it('affinity to two sleds is a contradiction: 400', async () => {
    await onSled(0, () => placed('a'))
    await onSled(1, () => placed('b'))
    await vm.create('c')
    await group('with-a', 'affinity', 'fail', ['a', 'c'])
    await group('with-b', 'affinity', 'fail', ['b', 'c'])
    const message =
      'Failed to place instance: The members of its affinity groups whose policy is fail are on more than one sled: "with-a", "with-b". Take the instance out of one of them.'
    await rejected('c', { status: 400, code: 'InvalidRequest', message })
  })

  it('a sled both required and banned is a contradiction: 400', async () => {
    await onSled(0, () => placed('a'))
    await onSled(0, () => placed('b'))
    await vm.create('c')
    await group('with-a', 'affinity', 'fail', ['a', 'c'])
    await group('without-b', 'anti_affinity', 'fail', ['b', 'c'])
    const message =
      'Failed to place instance: The affinity group "with-a" requires a sled that the anti-affinity group "without-b" forbids. Take the instance out of one of them.'
    await rejected('c', { status: 400, code: 'InvalidRequest', message })
  })

  it('preferred comes before neutral, neutral before avoided; preferred and avoided is neutral', async () => {
    await onSled(0, () => placed('liked'))
    await onSled(1, () => placed('shunned'))
    await onSled(2, () => placed('mixed'))
    for (const name of ['x', 'y', 'z']) await vm.create(name)
    await group('like', 'affinity', 'allow', ['liked', 'mixed', 'x', 'y', 'z'])
    await group('shun', 'anti_affinity', 'allow', ['shunned', 'mixed', 'x', 'y', 'z'])
    // Take the earlier members out again, or each start would change what the next one prefers.
    const alone = async (name: string, among: number[]) => {
      await only(among)
      const at = await started(name)
      await vm.stop(name)
      await w.advance(300)
      return at
    }
    for (const name of ['x', 'y', 'z']) {
      expect(await alone(name, [0, 1, 2])).toBe(0)
      expect(await alone(name, [1, 2])).toBe(2)
      expect(await alone(name, [1])).toBe(1)
    }
  })

  it('members without a reservation do not count, and no instance is moved', async () => {
    await onSled(0, () => placed('a'))
    await vm.stop('a')
    await w.advance(300)
    await vm.create('b')
    await group('together', 'affinity', 'fail', ['a', 'b'])
    expect(await onSled(1, () => started('b'))).toBe(1)
    // Now it is the other way round: a must come to b.
    expect(await started('a')).toBe(1)
    expect(sleds.indexOf((await rowOf(w, 'b')).sledId ?? '')).toBe(1)
  })

  it('the reason names every group that prevents the placement', async () => {
    for (const name of ['a', 'b']) await vm.create(name)
    await onSled(0, () => started('a'))
    await onSled(1, () => started('b'))
    await vm.create('c')
    await group('without-b', 'anti_affinity', 'fail', ['b', 'c'])
    await group('without-a', 'anti_affinity', 'fail', ['a', 'c'])
    await group('spread', 'anti_affinity', 'allow', ['a', 'c'])
    await only([0, 1])
    await rejected('c', kept('"without-a", "without-b"'))
  })

  it('groups bind their members only', async () => {
    await onSled(0, () => placed('a'))
    await vm.create('b')
    await group('of-a', 'anti_affinity', 'fail', ['a'])
    expect(await onSled(0, () => started('b'))).toBe(0)
  })

  it('a contradiction at create leaves the instance stopped, with the reason', async () => {
    await onSled(0, () => placed('a'))
    const id = await group('apart', 'anti_affinity', 'fail', ['a'])
    await only([0])
    await vm.create('b', { antiAffinityGroups: [id], start: true })
    await w.settle()
    expect(await vm.view('b')).toMatchObject({ runState: 'stopped', lastError: kept('"apart"').message })
  })
})

it('an automatic restart is placed again, on another sled if its sled is closed', async () => {
  await open()
  await onSled(0, () => placed('a'))
  await w.advance(300)
  await only([2])
  w.sleds.crash((await rowOf(w, 'a')).id, 'smoke')
  await w.advance(300)
  expect(await rowOf(w, 'a')).toMatchObject({ runState: 'running', sledId: sleds[2], boot: 2 })
})
