import { antiAffinityGroupList } from '@purlin/contract/operations/instances/affinity-groups'
import { expect, it } from 'vitest'
import { addGroups, openControlPlane } from '#/preview/testing.ts'
import { everyPage, lookUpLimit } from './everyPage.ts'

it('reads all pages with the same filter', async () => {
  const { world, urls } = await openControlPlane()
  const names = Array.from({ length: 2 * lookUpLimit + 1 }, (_, i) => `g-${String(i).padStart(4, '0')}`)
  await addGroups(world, names)
  const groups = await everyPage(antiAffinityGroupList, { query: { project: 'demo' } }).queryFn({
    signal: new AbortController().signal,
  })
  expect(groups.map(({ name }) => name)).toEqual(names)
  expect(urls).toHaveLength(3)
  expect(urls.every((url) => url.includes('project=demo') && url.includes('limit=1000'))).toBe(true)
})
