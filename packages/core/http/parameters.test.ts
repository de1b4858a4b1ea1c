import { expect, it } from 'vitest'
import { openWorld } from '#/testing/world.ts'

it('a query has at most 100 parameters', async () => {
  const w = await openWorld()
  const statusOf = async (count: number) =>
    (await w.raw({ url: `/v1/ping?${Array(count).fill('a').join('&')}` })).status
  expect([await statusOf(100), await statusOf(101), await statusOf(8000)]).toEqual([200, 400, 400])
  await w.close()
})
