import { expect, it, vi } from 'vitest'
import { createUseReader, measured, partsOf, usesIn, type ReadUse } from './batches.ts'

const target = (id: string, ncpus = 1, project = 'web') => ({ project, id, ncpus, memory: 1000 })

it('a query has all rows of a project that ask in a moment', async () => {
  const read = vi.fn<ReadUse>(
    async (_, targets) => new Map(targets.map(({ id }) => [id, { times: [1], values: [2] }])),
  )
  const use = createUseReader(read)
  await Promise.all([use(target('a')), use(target('b')), use(target('c', 1, 'db'))])
  expect(read.mock.calls.map(([project, all]) => [project, all.map(({ id }) => id)])).toEqual([
    ['web', ['a', 'b']],
    ['db', ['c']],
  ])
})

it('one query reads few vCPUs, and one instance in any case', () => {
  const sizes = (cpus: number[]) =>
    partsOf(cpus.map((ncpus, i) => ({ target: target(String(i), ncpus) }))).map((part) => part.length)
  expect(sizes([200, 32, 32, 1])).toEqual([1, 2, 1])
  expect(sizes(Array.from({ length: 45 }, () => 1))).toEqual([20, 20, 5])
})

it('not more than two queries run at a time, and a failure only concerns its rows', async () => {
  let running = 0
  let most = 0
  const ends: (() => void)[] = []
  const use = createUseReader(async (project) => {
    most = Math.max(most, (running += 1))
    await new Promise<void>((resolve) => ends.push(resolve))
    running -= 1
    if (project === '2') throw new Error('no')
    return new Map()
  })
  const all = Promise.allSettled(Array.from({ length: 5 }, (_, i) => use(target('a', 1, String(i)))))
  for (let i = 0; i < 5; i++) {
    await vi.waitFor(() => expect(ends.length).toBeGreaterThan(i), { timeout: 60_000 })
    ends[i]?.()
  }
  expect((await all).map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ])
  expect(most).toBe(2)
})

it('is the share of all vCPUs, without the first point', () => {
  const values = { type: 'double', values: [1e12, 2.5e9, null, 5e9] } as const
  const timestamps = [0, 1, 2, 3].map((second) => new Date(second * 1000).toISOString())
  const series = {
    fields: { instance_id: { type: 'uuid', value: 'a' } },
    points: {
      timestamps,
      values: [{ metricType: 'delta', values: { ...values, values: [...values.values] } }],
    },
  } as const
  const answer = { tables: [{ name: 'x', timeseries: [series] }] } as unknown as Parameters<typeof usesIn>[0]
  expect(usesIn(answer, [target('a', 2)], measured.CPU.share).get('a')).toEqual({
    times: [1000, 3000],
    values: [25, 50],
  })
})

it('memory is that of the guest where it says it, and of the host otherwise', () => {
  const timestamps = [0, 1, 2].map((second) => new Date(second * 1000).toISOString())
  const series = (id: string, source: string, values: (number | null)[]) => ({
    fields: { instance_id: { type: 'uuid', value: id }, source: { type: 'string', value: source } },
    points: { timestamps, values: [{ metricType: 'gauge', values: { type: 'double', values } }] },
  })
  const timeseries = [
    series('a', 'guest', [1, 250, 500]),
    series('a', 'host', [900, 900, 900]),
    series('b', 'guest', [null, null, null]),
    series('b', 'host', [1, 100, 2000]),
  ]
  const answer = { tables: [{ name: 'x', timeseries }] } as unknown as Parameters<typeof usesIn>[0]
  const uses = usesIn(answer, [target('a'), target('b')], measured.Memory.share)
  expect([uses.get('a')?.values, uses.get('b')?.values]).toEqual([
    [25, 50],
    [10, 100],
  ])
})
