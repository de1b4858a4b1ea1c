import fc from '#/testing/properties.ts'
import { GiB, KiB, limits, MiB } from '@purlin/contract/rules/limits'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inDb } from '#/testing/networks/networks.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'
import { listed } from './listed.ts'

let w: TestWorld
beforeAll(async () => {
  w = await openWorld()
})
afterAll(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

interface Listed {
  items: { id: string; name: string }[]
  next_page: string | null
}
const get = (url: string) => w.raw({ url, who: 'admin' })
const list = async (search: string): Promise<Listed> => {
  const { status, json } = await get(`/v1/disks?project=demo${search}`)
  expect(status).toBe(200)
  return json as Listed
}
const names = ({ items }: Listed) => items.map((item) => item.name)
const rowsOf = (wanted: readonly string[]) => {
  const now = w.clock.now()
  const same = {
    description: '',
    timeCreated: now,
    timeModified: now,
    projectId: w.ids['demo'] ?? '',
    siloId: w.ids['acme'] ?? '',
  }
  const blank = {
    size: GiB,
    blockSize: 512,
    snapshotId: null,
    imageId: null,
    state: 'detached' as const,
    instanceId: null,
    slot: null,
    generation: 1,
  }
  return wanted.map((name) => ({ id: w.world.ids.uuid(), name, ...same, ...blank }))
}
const insert = (wanted: readonly string[]) =>
  inDb(w, async (tx) => {
    for (let at = 0; at < wanted.length; at += 500)
      await tx
        .insertInto('disk')
        .values(rowsOf(wanted.slice(at, at + 500)))
        .execute()
  })
const remove = (wanted: readonly string[]) =>
  inDb(w, (tx) => tx.deleteFrom('disk').where('name', 'in', wanted).execute())
const clear = () => inDb(w, (tx) => tx.deleteFrom('disk').execute())
const encode = (token: unknown) =>
  Buffer.from(typeof token === 'string' ? token : JSON.stringify(token)).toString('base64url')
const padded = (text: string) => text.padEnd(Math.ceil(text.length / 4) * 4, '=')
const token = (value: unknown) => encodeURIComponent(padded(encode(value)))

/** Follows next_page to the end; `between` happens after each page. */
async function walk(
  search: string,
  between: (page: Listed) => Promise<void> = async () => {},
): Promise<Listed[]> {
  const pages: Listed[] = []
  let next: string | null = ''
  while (next !== null) {
    const page: Listed = await list(next === '' ? search : `${search}&page_token=${encodeURIComponent(next)}`)
    pages.push(page)
    next = page.next_page
    await between(page)
  }
  return pages
}

describe('the limit', () => {
  beforeAll(() => insert(Array.from({ length: 205 }, (_, i) => `d${String(i).padStart(3, '0')}`)))
  afterAll(clear)

  it('is 100 unless given', async () => {
    expect((await list('')).items).toHaveLength(100)
    expect((await list('&limit=7')).items).toHaveLength(7)
  })

  it('is honoured on every page', async () => {
    expect((await walk('')).map((page) => page.items.length)).toEqual([100, 100, 5])
    const { next_page: next } = await list('&limit=100')
    expect((await list(`&limit=3&page_token=${encodeURIComponent(next ?? '')}`)).items).toHaveLength(3)
  })

  it.each([
    ['0', 'limit: expected a nonzero u32'],
    ['-1', 'limit: expected a nonzero u32'],
    ['4294967296', 'limit: expected a nonzero u32'],
    ['ten', 'limit: invalid digit found in string'],
    ['1.5', 'limit: invalid digit found in string'],
    ['1e3', 'limit: invalid digit found in string'],
    ['', 'limit: cannot parse integer from empty string'],
  ])('limit=%s is refused', async (limit, reason) => {
    const { status, json } = await get(`/v1/disks?project=demo&limit=${limit}`)
    expect(status).toBe(400)
    expect(json).toEqual({
      request_id: expect.any(String) as string,
      message: `unable to parse query string: ${reason}`,
    })
  })

  it('the largest is accepted', async () => {
    expect((await list('&limit=4294967295')).items).toHaveLength(205)
  })
})

describe('a large limit', () => {
  const count = 10_003
  beforeAll(() => insert(Array.from({ length: count }, (_, i) => `d${i}`)))
  afterAll(clear)

  it.each(['name_ascending', 'size_ascending'])(
    'brings pages beyond 1000 rows, bounded in bytes, in %s',
    async (sort) => {
      const pages = await walk(`&limit=10000&sort_by=${sort}`)
      expect(pages[0]?.items.length).toBeGreaterThan(3000)
      expect(pages.every((page) => JSON.stringify(page).length < 4 * MiB)).toBe(true)
      expect(new Set(pages.flatMap(names)).size).toBe(count)
    },
  )

  it('above 10 000 is clamped, silently', async () => {
    const samples = Array.from({ length: count }, (_, at) => ({
      id: w.ids['demo'] ?? '',
      metric: 'cpus_provisioned' as const,
      at,
      value: 1,
    }))
    await inDb(w, async (tx) => {
      for (let at = 0; at < count; at += 1000)
        await tx
          .insertInto('usageSample')
          .values(samples.slice(at, at + 1000))
          .execute()
    })
    const times = 'start_time=1970-01-01T00:00:00Z&end_time=1970-01-02T00:00:00Z'
    const { json } = await get(`/v1/metrics/cpus_provisioned?project=demo&${times}&limit=20000`)
    expect((json as Listed).items).toHaveLength(10_000)
  })
})

describe('a page is bounded in bytes', () => {
  const all = Array.from({ length: 30 }, (_, i) => `d${String(i).padStart(2, '0')}`)
  /** Rows from before descriptions had a maximum. */
  const describeAll = (description: (i: number) => string) =>
    inDb(w, async (tx) => {
      for (const [i, name] of all.entries())
        await tx
          .updateTable('disk')
          .set({ description: description(i) })
          .where('name', '=', name)
          .execute()
    })
  beforeAll(() => insert(all))
  afterAll(clear)

  it.each([
    ['rows of 1 MiB', () => MiB, 30],
    ['rows of 100 KiB', () => 100 * KiB, 6],
    ['short and long rows', (i: number) => (i % 10 === 9 ? MiB : 10), 6],
    ['rows of the longest text that is read with others', () => 4096, 1],
  ])('%s', async (_, size, pages) => {
    await describeAll((i) => 'x'.repeat(size(i)))
    for (const sort of ['name_ascending', 'name_descending', 'id_ascending']) {
      const found = await walk(`&limit=1000&sort_by=${sort}`)
      if (sort === 'name_ascending') expect(found).toHaveLength(pages)
      expect(found.every((page) => page.items.length > 0)).toBe(true)
      expect(found.every((page) => JSON.stringify(page).length < 2 * MiB)).toBe(true)
      expect(found.flatMap(names).toSorted()).toEqual(all)
    }
  })

  it('and shows long texts whole', async () => {
    await describeAll((i) => `${i}${'ü'.repeat(70_000)}`)
    const found = (await walk('&limit=1000')).flatMap((page) => page.items as { description?: string }[])
    expect(found.map((item) => item.description?.length)).toEqual(
      all.map((_, i) => 70_000 + String(i).length),
    )
  })
})

it('lists do not read columns that they do not show', () => {
  const columns: Record<string, readonly string[]> = listed
  expect(columns['instance']).not.toContain('userData')
  expect(columns['siloUser']).not.toContain('passwordHash')
})

describe('the last page', () => {
  beforeAll(() => insert(['a', 'b', 'c', 'd']))
  afterAll(clear)

  it.each([
    [1, [1, 1, 1, 1]],
    [2, [2, 2]],
    [3, [3, 1]],
    [4, [4]],
    [5, [4]],
  ])('with a limit of %i has null and is not empty', async (limit, sizes) => {
    const pages = await walk(`&limit=${limit}`)
    expect(pages.map((page) => page.items.length)).toEqual(sizes)
    expect(pages.flatMap(names)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('of an empty list is the first', async () => {
    await w.as('admin').projectCreate({ body: { name: 'empty', description: '' } })
    expect((await get('/v1/disks?project=empty')).json).toEqual({ items: [], next_page: null })
  })

  it('rows that go after the first page leave an empty one with null', async () => {
    const first = await list('&limit=2')
    await remove(['c', 'd'])
    expect(await list(`&page_token=${encodeURIComponent(first.next_page ?? '')}`)).toEqual({
      items: [],
      next_page: null,
    })
    await insert(['c', 'd'])
  })
})

describe('the order', () => {
  const all = ['a', 'a-', 'a-0', 'a0', 'aa', 'b', 'b-z', 'ba', 'z9'].filter((name) => !name.endsWith('-'))
  beforeAll(() => insert(all.toReversed()))
  afterAll(clear)

  it('is byte order of the name by default', async () => {
    expect((await walk('&limit=2')).flatMap(names)).toEqual(all)
    expect((await walk('&limit=2&sort_by=name_ascending')).flatMap(names)).toEqual(all)
  })
  it('descending', async () => {
    expect((await walk('&limit=3&sort_by=name_descending')).flatMap(names)).toEqual(all.toReversed())
  })
  it('by id', async () => {
    const ids = (await walk('&limit=2&sort_by=id_ascending')).flatMap((page) =>
      page.items.map((item) => item.id),
    )
    expect(ids).toEqual(ids.toSorted())
    expect(ids).toHaveLength(all.length)
  })
  it('any other is refused', async () => {
    const { status, json } = await get('/v1/disks?project=demo&sort_by=size')
    expect(status).toBe(400)
    expect(json).toMatchObject({
      message:
        'unable to parse query string: sort_by: unknown variant `size`, expected one of `name_ascending`, `name_descending`, `id_ascending`, `time_created_ascending`, `time_created_descending`, `last_used_ascending`, `last_used_descending`, `state_ascending`, `state_descending`, `size_ascending`, `size_descending`',
    })
  })
  it('lists without names know ids only', async () => {
    expect((await get('/v1/me/access-tokens?sort_by=id_ascending')).status).toBe(200)
    expect((await get('/v1/me/access-tokens?sort_by=name_ascending')).status).toBe(400)
  })
})

describe('the token', () => {
  let next: string
  beforeAll(async () => {
    await insert(['a', 'b', 'c', 'd'])
    next = (await list('&limit=1&sort_by=name_descending')).next_page ?? ''
  })
  afterAll(clear)
  const page = (value: string, more = '') => get(`/v1/disks?page_token=${value}${more}`)

  it('is base64url with padding, within 512 characters', () => {
    expect(next).toMatch(/^[A-Za-z0-9_-]+={0,2}$/)
    expect(next.length % 4).toBe(0)
    expect(next.length).toBeLessThanOrEqual(512)
  })

  it('brings the parameters of the first request; the limit is still the own one', async () => {
    const { json } = await page(encodeURIComponent(next), '&limit=2')
    expect(names(json as Listed)).toEqual(['c', 'b'])
  })

  it('all other parameters are ignored, even invalid ones', async () => {
    const more = '&project=nope&sort_by=nonsense&limit=2'
    expect(names((await page(encodeURIComponent(next), more)).json as Listed)).toEqual(['c', 'b'])
  })

  it("of one list gives no access to another user's list", async () => {
    const url = `/v1/disks?page_token=${encodeURIComponent(next)}`
    expect((await w.raw({ url, who: 'stranger' })).status).toBe(404)
    expect((await w.raw({ url })).status).toBe(401)
  })

  it('is ignored by an operation without pages', async () => {
    const { id } = (await list('')).items[0] ?? { id: '' }
    expect((await get(`/v1/disks/${id}?page_token=garbage`)).status).toBe(200)
    const other = padded(encode({ v: 'v1', page_start: { query: { project: 'nope' }, last: '' } }))
    const made = await w.raw({
      method: 'POST',
      url: `/v1/disks?project=demo&page_token=${encodeURIComponent(other)}`,
      who: 'admin',
      body: JSON.stringify({
        name: 'here',
        description: '',
        size: GiB,
        disk_source: { type: 'blank', block_size: 512 },
      }),
    })
    expect(made.status).toBe(201)
    await remove(['here'])
  })

  it('stays short for any first request', async () => {
    const { next_page: made } = await list(`&limit=1&unknown=${'x'.repeat(600)}`)
    expect(made?.length).toBeLessThan(512)
    expect((await page(encodeURIComponent(made ?? ''))).status).toBe(200)
  })

  const start = { query: { project: 'demo' }, last: 'a' }
  it.each<[string, string, string]>([
    ['longer than a token may be', 'A'.repeat(limits.page.token + 1), 'too large'],
    ['no base64', '%21%21', 'corrupted token'],
    [
      'without its padding',
      encode({ v: 'v1', page_start: { ...start, last: 'ab' } }).replace(/=*$/, 'A'),
      'corrupted token',
    ],
    ['no JSON', token('nothing like JSON'), 'corrupted token'],
    ['broken UTF-8', '_w%3D%3D', 'corrupted token'],
    ['null', token('null'), 'corrupted token'],
    ['a number', token('7'), 'corrupted token'],
    ['another version', token({ v: 'v2', page_start: start }), 'unsupported version'],
    ['no version', token({ page_start: start }), 'unsupported version'],
    ['no start', token({ v: 'v1' }), 'corrupted token'],
    ['no last key', token({ v: 'v1', page_start: { query: {} } }), 'corrupted token'],
    ['a last key that is no text', token({ v: 'v1', page_start: { query: {}, last: 7 } }), 'corrupted token'],
    [
      'a last key that no engine stores',
      token({ v: 'v1', page_start: { ...start, last: 'a\0' } }),
      'corrupted token',
    ],
    [
      'parameters that are no text',
      token({ v: 'v1', page_start: { query: { project: {} }, last: '' } }),
      'corrupted token',
    ],
  ])('%s: refused', async (_, value, reason) => {
    const { status, json } = await page(value)
    expect(json).toEqual({
      request_id: expect.any(String) as string,
      message: `failed to parse pagination token: ${reason}`,
    })
    expect(status).toBe(400)
  })

  it('its parameters are validated like any others', async () => {
    const forged = token({ v: 'v1', page_start: { query: { project: 'demo', sort_by: 'size' }, last: 'a' } })
    expect((await page(forged)).json).toMatchObject({
      message: expect.stringContaining('sort_by: unknown variant') as string,
    })
    const none = token({ v: 'v1', page_start: { query: {}, last: 'a' } })
    expect((await page(none)).json).toMatchObject({
      message: 'unable to parse query string: missing field `project`',
    })
  })

  it('given twice is refused', async () => {
    const twice = `${encodeURIComponent(next)}&page_token=${encodeURIComponent(next)}`
    expect((await page(twice)).json).toMatchObject({
      message: 'unable to parse query string: duplicate field `page_token`',
    })
  })
})

describe('while rows come and go', () => {
  beforeEach(clear)
  const name = fc.stringMatching(/^[a-z][a-z0-9]{0,3}$/)
  const step = fc.record({
    add: fc.uniqueArray(name, { maxLength: 4 }),
    take: fc.array(fc.nat(), { maxLength: 3 }),
  })

  it('no row repeats, and no row that existed throughout is missing', async () => {
    const property = fc.asyncProperty(
      fc.uniqueArray(name, { minLength: 1, maxLength: 20 }),
      fc.array(step, { maxLength: 12 }),
      fc.record({ limit: fc.integer({ min: 1, max: 5 }), down: fc.boolean() }),
      async (first, steps, { limit, down }) => {
        await clear()
        await insert(first)
        const living = new Set(first)
        const throughout = new Set(first)
        const left = [...steps]
        const pages = await walk(
          `&limit=${limit}&sort_by=name_${down ? 'descending' : 'ascending'}`,
          async () => {
            const { add = [], take = [] } = left.shift() ?? {}
            const gone = take.flatMap((at) => [...living][at % Math.max(1, living.size)] ?? [])
            if (gone.length) await remove(gone)
            for (const one of gone) for (const set of [living, throughout]) set.delete(one)
            const fresh = add.filter((one) => !living.has(one))
            if (fresh.length) await insert(fresh)
            for (const one of fresh) living.add(one)
          },
        )
        const seen = pages.flatMap(names)
        expect(new Set(seen).size).toBe(seen.length)
        const inOrder = down ? seen.toSorted().toReversed() : seen.toSorted()
        expect(seen).toEqual(inOrder)
        for (const one of throughout) expect(seen).toContain(one)
      },
    )
    await fc.assert(property, { numRuns: 40 })
  })
})
