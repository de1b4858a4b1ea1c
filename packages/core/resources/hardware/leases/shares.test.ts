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

it('the sleds of a host stay with one server', () => {
  const hostOf = (name: string) => (name < 'c' ? 'first' : 'second')
  const seen = (held: Record<string, string[]>) => seenAt(0, held, hostOf)
  expect(takes(new Shares('one'), seen({ two: [] }))).toEqual(['a', 'b'])
  // Another server has a sled of the first host, and takes the other one.
  expect(takes(new Shares('one'), seen({ two: ['a'] }))).toEqual(['c', 'd'])
  expect(takes(new Shares('two'), seen({ two: ['a'], one: ['c', 'd'] }))).toEqual(['b'])
  expect(new Shares('one').toGive(seen({ one: hosts, two: [] }).seen)).toEqual(['c', 'd'])
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
  // No other has taken it: it is not left again soon.
  expect(shares.toLeave(['b'], seenAt(5_000, all).seen)).toEqual([])
  expect(shares.toLeave(['b'], seenAt(60_000, all).seen)).toEqual(['b'])
})
