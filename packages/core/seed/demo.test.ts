import { afterEach, beforeEach, expect, it } from 'vitest'
import { inDb } from '../testing/networks.ts'
import { dump } from '../testing/state.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { seedDemo } from './demo.ts'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld()
})
afterEach(() => w.close())

it('is made once', async () => {
  const users = await seedDemo(w.world)
  const before = await dump(w)
  expect(await seedDemo(w.world)).toEqual(users)
  expect(await dump(w)).toEqual(before)
})

it('has a floating IP that serves an instance, and collectors that are kept apart', async () => {
  await seedDemo(w.world)
  const served = await inDb(w, (tx) =>
    tx
      .selectFrom('externalIp')
      .innerJoin('instance', 'instance.id', 'externalIp.instanceId')
      .select(['externalIp.name', 'instance.name as instance'])
      .where('externalIp.kind', '=', 'floating')
      .execute(),
  )
  expect(served).toEqual([{ name: 'ingest', instance: 'ingest-gateway' }])
  const collectors = await inDb(w, (tx) =>
    tx
      .selectFrom('affinityMember')
      .innerJoin('instance', 'instance.id', 'affinityMember.instanceId')
      .select('instance.name')
      .orderBy('instance.name')
      .execute(),
  )
  expect(collectors.map((one) => one.name)).toEqual(['collector-01', 'collector-02'])
})
