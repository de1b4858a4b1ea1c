/** The queries that the server reports changes of: they are not polled. */
import { urlOf } from '@purlin/contract/client'
import type { OpShape } from '@purlin/contract/op'
import { hashKey, QueryClient, type DefaultOptions, type Query } from '@tanstack/react-query'

const ops = new Map<string, OpShape>()

/** Lets queries with this name in their keys be watched. */
export const knowOperation = (name: string, op: OpShape): void => void ops.set(name, op)

interface Keyed {
  queryKey: readonly unknown[]
}

/** The addresses of queries that read several, by the parts of their keys. */
const readFrom = new Map<string, readonly string[]>()
const hashOf = ({ queryKey }: Keyed): string => hashKey(queryKey.slice(0, 3))

/** Records the addresses that a query was read from; none if no stream watches them. */
export function noteAddresses(query: Keyed, addresses: readonly string[]): void {
  readFrom.set(hashOf(query), addresses)
}

/** Forgets them. */
export const forgetAddresses = (query: Keyed): void => void readFrom.delete(hashOf(query))

/** The addresses that a query was read from; none if it is not one of operations that can be watched. */
export function addressesOf(query: Keyed): readonly string[] {
  const { queryKey } = query
  const [name, args] = queryKey
  if (queryKey.length > 2) return readFrom.get(hashOf(query)) ?? []
  const op = queryKey.length === 2 && typeof name === 'string' ? ops.get(name) : undefined
  return op && !op.streams ? [urlOf(op, args)] : []
}

let watched: ReadonlySet<string> = new Set()

/** Sets the addresses that a stream watches now. */
export function setWatched(addresses: ReadonlySet<string>, client: QueryClient): void {
  watched = addresses
  // Their intervals follow from it.
  for (const query of client.getQueryCache().findAll({ type: 'active' }))
    for (const observer of query.observers) observer.setOptions({ ...observer.options })
}

const isWatched = (query: Keyed): boolean => {
  if (watched.size === 0) return false
  const addresses = addressesOf(query)
  return addresses.length > 0 && addresses.every((one) => watched.has(one))
}

type Interval = number | false | undefined | ((query: Query) => number | false | undefined)

/** The interval of a query unless it is watched. Calling it again changes nothing. */
function unlessWatched(interval: Interval): (query: Query) => number | false | undefined {
  const known = typeof interval === 'function' && gated.has(interval) ? interval : undefined
  if (known) return known
  const own = (query: Query) => {
    if (isWatched(query)) return false
    return typeof interval === 'function' ? interval(query) : interval
  }
  gated.add(own)
  return own
}
const gated = new WeakSet<(query: Query) => unknown>()

/** A cache whose queries are polled only while no stream watches them. */
export function createWatchingClient(defaultOptions: DefaultOptions): QueryClient {
  const client = new QueryClient({ defaultOptions })
  const plain = client.defaultQueryOptions.bind(client) as (options: object) => { refetchInterval?: Interval }
  const defaultQueryOptions = (options: object) => {
    const made = plain(options)
    if (made.refetchInterval) made.refetchInterval = unlessWatched(made.refetchInterval)
    return made
  }
  client.defaultQueryOptions = defaultQueryOptions as typeof client.defaultQueryOptions
  return client
}
