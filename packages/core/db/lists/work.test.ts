/** How much work requests are for SQLite: counts that do not depend on the machine. */
import { GiB } from '@purlin/contract/rules/limits'
import { StatementSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { addGroups } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'
import { addToSearch } from './search-index.ts'

interface Run {
  sql: string
  values: readonly unknown[]
}
type All = (this: StatementSync, ...values: string[]) => unknown[]
const all = Object.getOwnPropertyDescriptor(StatementSync.prototype, 'all')?.value as All

let w: TestWorld
beforeEach(async () => {
  w = await openWorld()
  await addDisks(2000)
})
afterEach(async () => {
  vi.restoreAllMocks()
  expect(w.errors).toEqual([])
  await w.close()
})

/** The queries that run from here on. */
function recordRuns(): Run[] {
  const runs: Run[] = []
  vi.spyOn(StatementSync.prototype, 'all').mockImplementation(function (this: StatementSync, ...values) {
    runs.push({ sql: this.sourceSQL, values })
    return all.call(this, ...(values as string[])) as ReturnType<StatementSync['all']>
  })
  return runs
}

const addDisks = (count: number) =>
  inDb(w, async (tx) => {
    for (let i = 0; i < count; i++) {
      const disk = {
        id: w.world.ids.uuid(),
        name: `a-big-disk-${i}`,
        description: 'it is quite large',
        timeCreated: 0,
        timeModified: 0,
        projectId: w.ids['demo'] ?? '',
        siloId: w.ids['acme'] ?? '',
        size: GiB,
        blockSize: 512,
        snapshotId: null,
        imageId: null,
        state: 'detached' as const,
        instanceId: null,
        slot: null,
        generation: 1,
        layerId: null,
      }
      await tx.insertInto('disk').values(disk).execute()
      await addToSearch(tx, 'disk', disk)
    }
  })

const get = async (url: string) => {
  const { status, json } = await w.raw({ url, who: 'projectViewer' })
  expect([url, status]).toEqual([url, 200])
  return (json as { items: unknown[] }).items
}

it.each(['sort_by=state_ascending', 'sort_by=size_descending'])(
  'a page in an order without an index sorts the rows once: %s',
  async (order) => {
    const runs = recordRuns()
    expect(await get(`/v1/disks?project=demo&limit=1000&${order}`)).toHaveLength(1000)
    expect(runs.filter(({ sql }) => sql.includes('order by "disk"'))).toHaveLength(1)
  },
)

const asked = (words: string) => [
  `/v1/disks?project=demo&limit=1000&find=${encodeURIComponent(words)}`,
  `/v1/search?q=${encodeURIComponent(words)}`,
]
const starts = ({ values }: Run) =>
  String(values.find((one) => /^\(.*"/.test(String(one)))).split(' *').length - 1

it.each([
  ['the same word again and again', Array.from({ length: 60 }, () => 'bi').join(' '), 1],
  ['words of one letter', 'a b d i l q', 1],
  ['words that end in one letter', 'big-d disk-i quite-l a-b', 1],
  ['many words', 'ab ac ad ae af ag ah ai aj ak al am an ao', 8],
])('%s ask the index for few beginnings of words', async (_, words, most) => {
  for (const url of asked(words)) {
    const runs = recordRuns()
    await get(url)
    const counts = runs.filter(({ sql }) => sql.includes(' match ')).map(starts)
    expect(counts.length).toBeGreaterThan(0)
    expect(Math.max(...counts)).toBe(most)
    vi.restoreAllMocks()
  }
})

it('a word of many parts asks the index for few of them', async () => {
  const runs = recordRuns()
  await get(
    `/v1/disks?project=demo&limit=1000&find=${Array.from({ length: 60 }, (_, i) => `a${i}`).join('')}`,
  )
  const [run] = runs.filter(({ sql }) => sql.includes(' match '))
  // Five parts, what may be the beginning of an id, and the list.
  expect(String(run?.values).match(/"/g)).toHaveLength(2 * 7)
})

it('rows with a tag are looked up, however many there are without it', async () => {
  const at = { who: 'projectCollaborator', method: 'PUT' } as const
  for (const name of ['a-big-disk-998', 'a-big-disk-999'])
    await w.raw({ ...at, url: `/v1/disks/${name}?project=demo`, body: '{"tags":{"env":"prod"}}' })
  for (const filter of ['tag:env', 'tag:env=prod', 'tag:env=prod&filter=state:detached']) {
    const runs = recordRuns()
    expect(await get(`/v1/disks?project=demo&filter=${filter}`)).toHaveLength(2)
    // The first thousand, those with the tag, and the page.
    expect(runs.filter(({ sql }) => sql.includes('from "disk"'))).toHaveLength(3)
    vi.restoreAllMocks()
  }
})

it('so are groups of a kind that shares its table with another one', async () => {
  await addGroups(
    w,
    Array.from({ length: 1500 }, (_, i) => `group-${i}`),
  )
  const me = w.as('projectCollaborator')
  const tagged = { params: { antiAffinityGroup: 'group-999' }, query: { project: 'demo' } }
  await me.antiAffinityGroupUpdate({ ...tagged, body: { tags: { env: 'prod' } } })
  const runs = recordRuns()
  expect(await get('/v1/anti-affinity-groups?project=demo&filter=tag:env=prod')).toMatchObject([
    { name: 'group-999' },
  ])
  expect(runs.filter(({ sql }) => sql.includes('from "affinityGroup"'))).toHaveLength(3)
})
