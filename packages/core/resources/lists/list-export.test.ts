import { afterEach, beforeEach, expect, it } from 'vitest'
import { inDb } from '#/testing/networks/networks.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'
import { lineOf } from './exports.ts'

const GiB = 2 ** 30
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

const makeDisk = (name: string, description = '') =>
  w.as('projectCollaborator').diskCreate({
    query,
    body: { name, description, size: GiB, diskSource: { type: 'blank', blockSize: 512 } },
  })

const exported = async (list: string, more = '', who: Who = 'projectViewer') => {
  const { status, headers, text, json } = await w.raw({
    url: `/v1/export?list=${encodeURIComponent(list)}${more}`,
    who,
  })
  return { status, type: headers['content-type'], saved: headers['content-disposition'], text, json }
}

/** Rows are made in the database: enough of them for two pages. */
async function manyDisks(count: number): Promise<void> {
  await makeDisk('first')
  await inDb(w, async (tx) => {
    const row = await tx.selectFrom('disk').selectAll().where('name', '=', 'first').executeTakeFirstOrThrow()
    const copies = Array.from({ length: count }, (_, i) => ({
      ...row,
      id: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
      name: `copy-${String(i).padStart(4, '0')}`,
    }))
    for (let at = 0; at < count; at += 50)
      await tx
        .insertInto('disk')
        .values(copies.slice(at, at + 50))
        .execute()
  })
}

it('has the rows that the list finds and filters, in its order, as it answers them', async () => {
  for (const name of ['web-1', 'web-2', 'db-1', 'web-3']) await makeDisk(name)
  const list = '/v1/disks?project=demo&find=web&filter=state:detached&sort_by=name_descending'
  const { status, type, saved, text } = await exported(`${list}&limit=1`)
  expect({ status, type, saved }).toEqual({
    status: 200,
    type: 'application/x-ndjson; charset=utf-8',
    saved: 'attachment; filename="disks-2026-01-02.jsonl"',
  })
  const rows = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { name: string })
  expect(rows.map(({ name }) => name)).toEqual(['web-3', 'web-2', 'web-1'])
  expect(rows).toEqual((await w.raw({ url: list, who: 'projectViewer' })).json.items)
})

it('continues across pages, each row once', async () => {
  await manyDisks(1200)
  const { text } = await exported('/v1/disks?project=demo')
  const names = text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { name: string }).name)
  expect(names).toHaveLength(1201)
  expect(new Set(names).size).toBe(1201)
  expect(names).toEqual(names.toSorted())
})

it('as CSV has a column for each value, quotes values where needed, and has no formulas', async () => {
  await makeDisk('sum', '=1+1, "two"')
  const { type, text } = await exported('/v1/disks?project=demo', '&format=csv')
  expect(type).toBe('text/csv; charset=utf-8')
  const [head = '', row = '', ...rest] = text.split('\r\n')
  expect(rest).toEqual([''])
  // The mark by which spreadsheets recognize UTF-8.
  expect(head.slice(0, 1)).toBe('\u{FEFF}')
  const columns = head.slice(1).split(',')
  expect(columns).toEqual(
    expect.arrayContaining(['id', 'name', 'description', 'size', 'state.state', 'project_id']),
  )
  expect(row).toContain('"\'=1+1, ""two"""')
  expect(row).toContain(',detached,')
  expect(row).toContain(`,${GiB},`)
})

it.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['  =1', "'  =1"],
  ['\t=1', "\t'=1"],
  ['＝1+1', "'＝1+1"],
  ['＠x', "'＠x"],
  // Spreadsheets of some languages part cells at semicolons; some part them at the line ends within.
  ['a;=1', "a;'=1"],
  ['a; -1', "a;' -1"],
  ['a\n=1', '"a\n\'=1"'],
  ['a\r\n+1', '"a\r\n\'+1"'],
  ['a = 1 - 2; b', 'a = 1 - 2; b'],
  ['web-1@home', 'web-1@home'],
])('writes %j without a formula', (description, cell) => {
  expect(lineOf(['first', description, 1])).toBe(`first,${cell},1\r\n`)
})

it('needs the permission of the list, and fails as the list does', async () => {
  expect(await exported('/v1/disks?project=demo', '', 'stranger')).toMatchObject({ status: 404 })
  expect(await exported('/v1/disks?project=gone')).toMatchObject({ status: 404 })
  expect(await exported('/v1/system/silos')).toMatchObject({ status: 403 })
  expect(await exported('/v1/system/silos', '', 'fleetAdmin')).toMatchObject({ status: 200 })
  expect(await exported('/v1/disks?project=demo&filter=state:odd')).toMatchObject({ status: 400 })
})

it.each([
  ['an address that is no list', '/v1/me'],
  ['a row', '/v1/disks/some?project=demo'],
  ['an unknown address', '/v2/disks'],
  ['a list without pages', '/v1/policy'],
  ['itself', '/v1/export?list=/v1/disks'],
])('refuses %s', async (_, list) => {
  const { status, json } = await exported(list)
  expect(status).toBe(400)
  expect(json.message).toContain('list')
})

it('refuses another format', async () => {
  expect((await exported('/v1/disks?project=demo', '&format=xml')).status).toBe(400)
})

it('ends early once the session has ended or the role is gone', async () => {
  await manyDisks(1200)
  const begin = async () => {
    const { stream } = await w.plane.dispatch({
      method: 'GET',
      url: '/v1/export?list=/v1/disks?project=demo',
      headers: { host: 'purlin.test', cookie: w.cookieOf('projectViewer') },
    })
    const pages = stream?.[Symbol.asyncIterator]()
    expect((await pages?.next())?.done).toBe(false)
    return pages
  }
  const [first, second] = [await begin(), await begin()]
  await inDb(w, async (tx) => void (await tx.deleteFrom('roleAssignment').execute()))
  await expect(first?.next()).rejects.toMatchObject({ status: 404 })
  await inDb(w, async (tx) => void (await tx.deleteFrom('session').execute()))
  await expect(second?.next()).rejects.toMatchObject({ status: 401 })
})
