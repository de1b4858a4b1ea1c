/** Lists that are restricted by comparisons, ages, names and what rows are not. */
import { operations, type OperationName } from '@purlin/contract/operations'
import type { OpShape } from '@purlin/contract/op'
import { columnsOf, type QueryColumn } from '@purlin/contract/rules/query/columns'
import { filteredKindOf } from '@purlin/contract/schemas/page'
import { limits } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { forceRow, smallInstance } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { createFixtures, plausible } from '#/testing/requests.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

const GiB = 2 ** 30
const day = 86_400_000
const query = { project: 'demo' }

let w: TestWorld
beforeEach(async () => {
  w = await openWorld()
})
afterEach(async () => {
  await w.settle()
  expect(w.errors).toEqual([])
  await w.close()
})

const me = () => w.as('projectCollaborator')
const namesIn = ({ items }: { items: { name: string }[] }) => items.map(({ name }) => name)
const makeDisk = (name: string, size: number) =>
  me().diskCreate({
    query,
    body: { name, description: '', size, diskSource: { type: 'blank', blockSize: 512 } },
  })
const disks = async (...filter: string[]) => namesIn(await me().diskList({ query: { ...query, filter } }))
const instances = async (...filter: string[]) =>
  namesIn(await me().instanceList({ query: { ...query, filter } }))
/** Makes a row as old as this. */
const age = (table: 'disk' | 'vpc', name: string, ms: number) =>
  inDb(w, (tx) =>
    tx
      .updateTable(table)
      .set({ timeCreated: w.clock.now() - ms })
      .where('name', '=', name)
      .execute(),
  )

describe('disks', () => {
  beforeEach(async () => {
    await makeDisk('web-1', GiB)
    await makeDisk('web-2', 16 * GiB)
    await makeDisk('test-log', 64 * GiB)
    await age('disk', 'web-1', 10 * day)
    await age('disk', 'web-2', 3 * day)
  })

  it('are paged by the longest filters and words', async () => {
    const { all, text } = limits.filters
    const longest = Array.from({ length: all / text }, (_, i) => `-name:${i}`.padEnd(text, '漢'))
    const page = { ...query, filter: longest, limit: 1 }
    const { items, nextPage } = await me().diskList({ query: page })
    expect([items.length, nextPage]).toEqual([1, expect.any(String)])
    const next = await me().diskList({ query: { ...query, pageToken: nextPage ?? '', limit: 5 } })
    expect(next.items).toHaveLength(2)
    const find = '漢'.repeat(limits.find)
    const found = await me().diskList({ query: { ...page, find } })
    expect(found.items).toEqual([])
  })

  it.each([
    [['size:>1GiB'], ['test-log', 'web-2']],
    [['size:>=16GiB', 'size:<64GiB'], ['web-2']],
    [['size:17179869184'], ['web-2']],
    [
      ['size:1GiB', 'size:64GiB'],
      ['test-log', 'web-1'],
    ],
    [['-size:1GiB'], ['test-log', 'web-2']],
    [['created:<7d'], ['test-log', 'web-2']],
    [['created:>1w'], ['web-1']],
    [['created:<7d', 'created:>1h'], ['web-2']],
    [['-created:<7d'], ['web-1']],
    [['created:<2025-12-28'], ['web-1']],
    [['name:web'], ['web-1', 'web-2']],
    [
      ['name:log', 'name:2'],
      ['test-log', 'web-2'],
    ],
    [['-name:test'], ['web-1', 'web-2']],
    [['-name:eb'], ['test-log', 'web-1', 'web-2']],
    [['-state:detached'], []],
    [['state:detached', '-name:test', 'size:<16GiB'], ['web-1']],
    [['-protected:true', 'size:>16GiB'], ['test-log']],
  ])('%s', async (filter, found) => {
    expect(await disks(...filter)).toEqual(found)
  })

  it('counts what fits, and the values of the other rows', async () => {
    const page = (filter: string[]) => me().diskList({ query: { ...query, filter, total: true, limit: 1 } })
    expect(await page(['size:>1GiB'])).toMatchObject({ totalItems: 2, totals: { state: { detached: 2 } } })
    expect(await page(['-state:detached'])).toMatchObject({
      totalItems: 0,
      totals: { state: { detached: 3 } },
    })
    const found = await me().diskList({
      query: { ...query, find: 'web', filter: ['-name:1'], total: true },
    })
    expect(found).toMatchObject({ totalItems: 1, totals: { protected: { false: 1 } } })
  })

  it('are deleted by a task for what fits', async () => {
    const list = '/v1/disks?project=demo&filter=size%3A%3E1GiB&filter=-name%3Atest'
    await w.as('projectCollaborator').taskCreate({ body: { kind: 'disk', action: 'delete', query: list } })
    await w.advance(60_000)
    expect(await disks()).toEqual(['test-log', 'web-1'])
  })
})

describe('pages', () => {
  it('keep their order, and the moment of the first one', async () => {
    for (let i = 0; i < 9; i += 1) await makeDisk(`d${i}`, (i + 1) * GiB)
    // Two become too old between the pages.
    for (const name of ['d3', 'd7']) await age('disk', name, day - 1000)
    const read = async (sortBy: 'name_ascending' | 'size_descending', filter: string[]) => {
      const names: string[] = []
      let pageToken: string | undefined
      do {
        const page = await me().diskList({
          query: pageToken ? { ...query, pageToken, limit: 2 } : { ...query, sortBy, filter, limit: 2 },
        })
        names.push(...namesIn(page))
        pageToken = page.nextPage ?? undefined
        await w.clock.advance(1500)
      } while (pageToken)
      return names
    }
    expect(await read('name_ascending', ['created:<1d', 'size:>2GiB', '-name:d5'])).toEqual([
      'd2',
      'd3',
      'd4',
      'd6',
      'd7',
      'd8',
    ])
    expect(await read('size_descending', ['created:<1d', 'size:<=8GiB'])).toEqual([
      'd6',
      'd5',
      'd4',
      'd2',
      'd1',
      'd0',
    ])
  })
})

describe('other lists', () => {
  it('compare machines by memory and vCPUs', async () => {
    await me().instanceCreate({ query, body: smallInstance('small', { memory: GiB, ncpus: 1 }) })
    await me().instanceCreate({ query, body: smallInstance('large', { memory: 32 * GiB, ncpus: 8 }) })
    await me().instanceCreate({ query, body: smallInstance('broken', { memory: 32 * GiB, ncpus: 4 }) })
    await w.advance(60_000)
    await forceRow(w, 'broken', { runState: 'failed' })
    expect(await instances('memory:>16GiB')).toEqual(['broken', 'large'])
    expect(await instances('state:failed', 'memory:>16GiB', 'created:<7d')).toEqual(['broken'])
    expect(await instances('cpus:>=4', '-state:failed')).toEqual(['large'])
    expect(await instances('-cpus:>1')).toEqual(['small'])
    const page = await w
      .as('projectViewer')
      .instanceList({ query: { ...query, filter: ['memory:<2GiB'], total: true } })
    expect(page.totalItems).toBe(1)
  })

  it('compare VPCs and projects by age', async () => {
    const vpcs = async (...filter: string[]) => namesIn(await me().vpcList({ query: { ...query, filter } }))
    await age('vpc', 'default', 30 * day)
    expect(await vpcs('created:>2w', 'name:default')).toEqual(['default'])
    expect(await vpcs('created:<2w')).toEqual([])
    expect(namesIn(await me().projectList({ query: { filter: ['-name:demo'] } }))).toEqual([])
  })

  /** True for a list with columns that one person may read. The activity of a resource is tested with the audit log. */
  function hasFilter(name: OperationName): boolean {
    const op: OpShape = operations[name]
    return filteredKindOf(op) !== undefined && !op.alsoNeeds && !/Export$|^resourceActivity$/.test(name)
  }

  const ofType = (type: QueryColumn['type'], text: string) => (word: string, column: QueryColumn) =>
    column.type === type ? [`${word}:${text}`] : []
  /** Filters that no row fits, by names first. */
  const fitsNothing = [
    ofType('text', 'nothing-is-called-this'),
    ofType('exact', 'nothing_is_called_this'),
    ofType('number', '<1'),
    ofType('time', '<1971-01-01'),
  ]

  it('all name what is wrong, and leave rows out', async () => {
    await createFixtures(w)
    const names = (Object.keys(operations) as OperationName[]).filter(hasFilter)
    expect(names.length).toBeGreaterThan(10)
    for (const name of names) {
      const request = plausible(w, name, 'name')
      const isOfFleet = [(operations[name] as OpShape).allow].flat().join(' ').includes('fleet.')
      const who = isOfFleet ? 'fleetAdmin' : 'admin'
      const send = (filter: string) =>
        w.raw({
          who,
          ...request,
          url: `${request.url}${request.url.includes('?') ? '&' : '?'}filter=${filter}`,
        })
      const wrong = await send('colour:red')
      expect([name, wrong.status, wrong.json]).toMatchObject([
        name,
        400,
        {
          message: expect.stringMatching(
            /filter\[0\]: `colour:red`: no column "colour": there are .*, at character 1/,
          ),
        },
      ])
      const columns = columnsOf(filteredKindOf(operations[name] as OpShape) ?? '')
      const [filter] = fitsNothing.flatMap((make) =>
        [...columns].flatMap(([word, column]) => make(word, column)),
      )
      const none = await send(filter ?? '')
      expect([name, none.status, none.json]).toMatchObject([name, 200, { items: [] }])
    }
  })
})

describe('too much', () => {
  it.each([
    ['too many', Array.from({ length: limits.filters.count + 1 }, () => 'size:>1')],
    ['too long', [`name:${'a'.repeat(limits.filters.text)}`]],
    ['too long together', Array.from({ length: 5 }, (_, i) => `name:${i}${'a'.repeat(220)}`)],
    ['no value', ['size:>']],
    ['no comparison', ['created:7d']],
    ['a comparison of states', ['state:>detached']],
  ])('%s', async (_, filter) => {
    const search = filter.map((one) => `filter=${encodeURIComponent(one)}`).join('&')
    expect((await w.raw({ who: 'projectViewer', url: `/v1/disks?project=demo&${search}` })).status).toBe(400)
  })
})
