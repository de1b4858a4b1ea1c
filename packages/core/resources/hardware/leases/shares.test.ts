import { expect, it } from 'vitest'
import type { LeaseTable } from '#/db/tables.ts'
import { memberOf, Shares } from './shares.ts'

const hosts = ['a', 'b', 'c', 'd']

/** The leases of servers with these hosts at a time. */
function seenAt(now: number, held: Record<string, string[]>, hostOf = (name: string) => name) {
  const row = (name: string, holder: string): [string, LeaseTable] => [
    name,
    { name, holder, until: holder === '' ? 0 : now + 1, epoch: 1 },
  ]
  const members = Object.keys(held).map((server) => row(memberOf(server), server))
  const taken = Object.entries(held).flatMap(([server, names]) => names.map((name) => row(name, server)))
  const free = hosts.filter((name) => !Object.values(held).flat().includes(name))
  const rows = new Map([...members, ...free.map((name) => row(name, '')), ...taken])
  return { free, seen: { now, rows, shared: new Map(hosts.map((name) => [name, hostOf(name)])) } }
}
const takes = (shares: Shares, { free, seen }: ReturnType<typeof seenAt>) => shares.toTake(free, seen)

it('a server takes up to its share, and what no other takes', () => {
  const shares = new Shares('one')
  expect(takes(shares, seenAt(0, {}))).toEqual(hosts)
  expect(takes(new Shares('one'), seenAt(0, { two: [] }))).toEqual(['a', 'b'])
  const full = { one: ['a', 'b'], two: ['c'] }
  expect(takes(shares, seenAt(10, full))).toEqual([])
  expect(takes(shares, seenAt(1_999, full))).toEqual([])
  expect(takes(shares, seenAt(2_010, full))).toEqual(['d'])
  expect(shares.toTake(['of this server only'], seenAt(0, full).seen)).toHaveLength(1)
})

it('a server gives one back while another has two less, and keeps what no other reaches', () => {
  const shares = new Shares('one')
  const all = { one: hosts, two: [] as string[] }
  expect(shares.toGive(seenAt(0, { one: ['a', 'b'], two: ['c'] }).seen)).toEqual([])
  expect(shares.toGive(seenAt(0, { one: hosts }).seen)).toEqual([])
  expect(shares.toGive(seenAt(0, all).seen)).toEqual(['d'])
  const without = { one: ['a', 'b', 'c'], two: [] }
  for (const now of [0, 1_000]) expect(takes(shares, seenAt(now, without))).toEqual([])
  expect(takes(shares, seenAt(2_000, without))).toEqual(['d'])
  expect(shares.toGive(seenAt(2_000, all).seen)).toEqual(['c'])
  // Another server has come, and may reach it.
  expect(shares.toGive(seenAt(3_000, { ...all, three: [] }).seen)).toEqual(['d'])
})

it('a server gives back what it has kept after a minute, as the others may have been slow', () => {
  const shares = new Shares('one')
  const all = { one: hosts, two: [] }
  const without = { one: ['a', 'b', 'c'], two: [] }
  expect(shares.toGive(seenAt(0, all).seen)).toEqual(['d'])
  expect(takes(shares, seenAt(0, without))).toEqual([])
  expect(takes(shares, seenAt(2_000, without))).toEqual(['d'])
  expect(shares.toGive(seenAt(61_999, all).seen)).toEqual(['c'])
  expect(shares.toGive(seenAt(62_000, all).seen)).toEqual(['d'])
})

it('the sleds of a host stay with one server', () => {
  const hostOf = (name: string) => (name < 'c' ? 'first' : 'second')
  const seen = (held: Record<string, string[]>) => seenAt(0, held, hostOf)
  expect(takes(new Shares('one'), seen({ two: [] }))).toEqual(['a', 'b'])
  // Another server has a sled of the first host, and takes the other one.
  expect(takes(new Shares('one'), seen({ two: ['a'] }))).toEqual(['c', 'd'])
  expect(takes(new Shares('two'), seen({ two: ['a'], one: ['c', 'd'] }))).toEqual(['b'])
  expect(new Shares('one').toGive(seen({ one: hosts, two: [] }).seen)).toEqual(['c', 'd'])
})

it('a host whose sleds have come to several servers goes to the one with the first of them', () => {
  const hostOf = (name: string) => (name < 'c' ? 'first' : 'second')
  const seen = (now: number, held: Record<string, string[]>) => seenAt(now, held, hostOf)
  const [one, two] = [new Shares('one'), new Shares('two')]
  const split = { one: ['a', 'd'], two: ['b', 'c'] }
  expect(one.toGive(seen(0, split).seen)).toEqual(['d'])
  expect(two.toGive(seen(0, split).seen)).toEqual(['b'])
  expect(takes(one, seen(0, { one: ['a'], two: ['c'] }))).toEqual(['b'])
  expect(takes(two, seen(0, { one: ['a'], two: ['c'] }))).toEqual(['d'])
  expect(one.toGive(seen(0, { one: ['a', 'b'], two: ['c', 'd'] }).seen)).toEqual([])
  // The other one does not take it: it is kept.
  expect(takes(two, seen(2_000, { one: ['a'], two: ['c', 'd'] }))).toEqual(['b'])
  expect(two.toGive(seen(2_000, { one: ['a'], two: ['b', 'c', 'd'] }).seen)).toEqual([])
})

it('a host of a server that has ended is taken within a second, by one that it answers', () => {
  const ended = (now: number, unreached: string[] = []) => {
    const { free, seen } = seenAt(now, { two: ['a', 'b'], three: ['c'] })
    const rows = new Map([...seen.rows, ['d', { name: 'd', holder: 'one', until: 0, epoch: 1 }] as const])
    return { free, seen: { ...seen, rows, unreached: new Set(unreached) } }
  }
  const [two, three] = [new Shares('two'), new Shares('three')]
  expect(takes(two, ended(0))).toEqual([])
  expect(two.due).toBe(800)
  expect(takes(three, ended(0, ['d']))).toEqual([])
  expect(takes(three, ended(1_000, ['d']))).toEqual([])
  expect(takes(two, ended(800))).toEqual(['d'])
  expect(takes(three, ended(4_000, ['d']))).toEqual(['d'])
})

it('a host of which one sled does not answer stays with its server', () => {
  const hostOf = (name: string) => (name < 'c' ? 'first' : 'second')
  const { seen } = seenAt(0, { one: ['a', 'b'], two: ['c', 'd'] }, hostOf)
  expect(new Shares('one').toLeave(['b'], seen)).toEqual([])
  expect(new Shares('one').toLeave(['b', 'a', 'c'], seen)).toEqual(['a', 'b'])
})

it('a server leaves a host that it does not reach to others for a minute, unless none takes it', () => {
  const shares = new Shares('one')
  const [all, without] = [
    { one: ['a', 'b'], two: ['c', 'd'] },
    { one: ['a'], two: ['c', 'd'] },
  ]
  expect(shares.toLeave(['a'], seenAt(0, { one: hosts }).seen)).toEqual([])
  expect(shares.toLeave(['b', 'inside'], seenAt(0, all).seen)).toEqual(['b'])
  expect(takes(new Shares('two'), seenAt(0, without))).toEqual([])
  expect(takes(new Shares('two'), seenAt(0, { one: ['a', 'c'], two: ['d'] }))).toEqual(['b'])
  for (const now of [0, 3_999]) expect(takes(shares, seenAt(now, without))).toEqual([])
  expect(takes(shares, seenAt(4_000, without))).toEqual(['b'])
  // No other has taken it: it is not left again soon, unless it has answered.
  expect(shares.toLeave(['b'], seenAt(5_000, all).seen)).toEqual([])
  expect(shares.toLeave([], { ...seenAt(6_000, all).seen, unreached: new Set(['b']) })).toEqual([])
  expect(shares.toLeave(['b'], seenAt(7_000, all).seen)).toEqual([])
  expect(shares.toLeave(['b'], seenAt(60_000, all).seen)).toEqual(['b'])
  expect(shares.toLeave([], seenAt(61_000, all).seen)).toEqual([])
  expect(shares.toLeave(['b'], seenAt(63_000, all).seen)).toEqual(['b'])
})

it('a host belongs to the server that drives it, and to none while one may reach it yet', () => {
  const shares = new Shares('one')
  const all = { one: ['a', 'b'], two: ['c', 'd'] }
  const driverOf = (host: string, { seen }: ReturnType<typeof seenAt>, unreached: string[] = []) =>
    shares.driverOf([host], { ...seen, unreached: new Set(unreached) })
  expect([driverOf('a', seenAt(0, all)), driverOf('c', seenAt(0, all), ['c'])]).toEqual(['own', 'other'])
  // A server alone is the only one that may reach it.
  expect(driverOf('a', seenAt(0, { one: hosts }), ['a'])).toBe('own')
  expect(driverOf('a', seenAt(0, all), ['a'])).toBe('undecided')
  expect(shares.toLeave(['a'], { ...seenAt(0, all).seen, unreached: new Set(['a']) })).toEqual(['a'])
  const left = (now: number) => seenAt(now, { one: ['b'], two: ['c', 'd'] })
  expect(driverOf('a', left(9_000), ['a'])).toBe('undecided')
  // It came back, as no other server has taken it.
  expect(driverOf('a', seenAt(9_000, all), ['a'])).toBe('own')
  expect(driverOf('a', left(10_000), ['a'])).toBe('none')
  expect(driverOf('unknown', seenAt(0, all))).toBe('none')
})
