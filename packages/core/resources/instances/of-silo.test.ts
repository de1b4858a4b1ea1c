import { afterEach, beforeEach, expect, it } from 'vitest'
import { smallInstance } from '#/testing/machines.ts'
import { answers } from '#/testing/roles.ts'
import { disorder } from '#/testing/state.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld()
  await w.as('admin').projectCreate({ body: { name: 'other', description: '' } })
  for (const [project, name] of [
    ['demo', 'db'],
    ['demo', 'web'],
    ['other', 'api'],
    ['other', 'web'],
  ] as const)
    await w.as('admin').instanceCreate({ query: { project }, body: smallInstance(name, { start: false }) })
})
afterEach(async () => {
  await w.settle()
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

type Query = Parameters<ReturnType<TestWorld['as']>['instanceListOfSilo']>[0]['query']
const list = (who: Who, query: Query = {}) => w.as(who).instanceListOfSilo({ query })
const listed = async (who: Who, query: Query = {}) =>
  (await list(who, query)).items.map(({ name, projectName }) => `${projectName}/${name}`)

it('has the instances of all projects, each with the name of its project', async () => {
  expect(await listed('viewer')).toEqual(['other/api', 'demo/db', ...(await webs())])
})

/** Instances of the same name are in order of their ids. */
async function webs() {
  const both = await Promise.all(
    ['demo', 'other'].map(async (project) => {
      const query = { project }
      const { id } = await w.as('admin').instanceView({ params: { instance: 'web' }, query })
      return { id, at: `${project}/web` }
    }),
  )
  return both.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ at }) => at)
}

it('has those of the projects that the caller has a role on, and of no other', async () => {
  for (const query of [
    {},
    { find: 'web' },
    { sortBy: 'time_created_descending' },
    { filter: ['state:stopped'] },
  ])
    for (const one of await listed('projectViewer', query)) expect(one).toMatch(/^demo/)
  expect(await listed('projectViewer')).toEqual(['demo/db', 'demo/web'])
  expect(await listed('projectViewer', { find: 'api' })).toEqual([])
  expect(await list('projectViewer', { total: true })).toMatchObject({ totalItems: 2 })
})

it('is for those who have a role on the silo or a project of it', async () => {
  const may = await answers(w, (client) => client.instanceListOfSilo({ query: {} }))
  expect(may).toMatchObject({
    anonymous: 401,
    noRole: 403,
    fleetAdmin: 403,
    projectViewer: 'ok',
    viewer: 'ok',
  })
})

it('finds, filters and counts over all projects', async () => {
  expect(await listed('viewer', { find: 'WE' })).toEqual(await webs())
  const [{ id } = { id: '' }] = (await list('viewer', { find: 'api' })).items
  expect(await listed('viewer', { find: id })).toEqual(['other/api'])
  expect(await listed('viewer', { filter: ['state:failed'] })).toEqual([])
  expect(await list('viewer', { total: true, limit: 1 })).toMatchObject({
    totalItems: 4,
    totals: { state: { stopped: 4 } },
  })
})

it.each(['name_ascending', 'name_descending', 'id_ascending', 'cpus_ascending', 'time_created_descending'])(
  'pages through all of them once, %s',
  async (sortBy) => {
    for (const find of [undefined, 'e', 'a d w']) {
      const query = { sortBy, ...(find === undefined ? {} : { find }) }
      const whole = (await list('viewer', query)).items.map(({ id }) => id)
      const paged: string[] = []
      let pageToken: string | null | undefined
      do {
        const page = await list('viewer', { ...query, limit: 1, ...(pageToken ? { pageToken } : {}) })
        paged.push(...page.items.map(({ id }) => id))
        pageToken = page.nextPage
      } while (pageToken)
      expect(paged).toEqual(whole)
    }
  },
)

it('has the external addresses if requested', async () => {
  const { items } = await list('viewer', { externalIps: true, find: 'api' })
  expect(items.map(({ externalIps }) => externalIps?.map(({ kind }) => kind))).toEqual([['snat']])
})
