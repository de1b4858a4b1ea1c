/** Queries and mutations over the contract's client: the console's only way to the API. */
import type { Args, OpShape, Result } from '@purlin/contract/op'
import { CancelledError, useMutation, type DataTag, type UseMutationResult } from '@tanstack/react-query'
import { ApiError, nameOf, send } from './send.ts'
import { hasUnsaved } from './session.ts'
import { knowOperation, createWatchingClient } from './watched.ts'

const fresh = 2_000

/**
 * Which failures of a query go to the nearest error boundary. None does that would take away a form with unsaved
 * changes: what the page has stays then.
 */
export const throwsAt =
  (...statuses: number[]) =>
  (error: unknown, { state }: { state: { data?: unknown } }): boolean =>
    error instanceof ApiError &&
    statuses.includes(error.status) &&
    (state.data === undefined || !hasUnsaved())

/** The cache. Queries do not retry, stay fresh for 2 seconds and ignore window focus. */
export const queryClient = createWatchingClient({
  queries: {
    staleTime: fresh,
    retry: false,
    refetchOnWindowFocus: false,
    // A 404 goes to the nearest error boundary; other failures are handled where the query is used.
    throwOnError: throwsAt(404),
  },
  // Without a network they fail immediately: a later execution would surprise the user.
  mutations: { retry: false, networkMode: 'always' },
})

/** A query for loaders and components. The type of its key carries the type of its data. */
export interface Read<T> {
  queryKey: DataTag<readonly [string, unknown], T, Error>
  queryFn: (context: { signal: AbortSignal }) => Promise<T>
}

/** The key of a query of `T`. Its first part is the name of an operation, which invalidates it. */
export const keyOf = <T>(...parts: readonly unknown[]) => parts as unknown as Read<T>['queryKey']

/** The query of an operation that reads. */
export function query<O extends OpShape>(op: O, args: Args<O>): Read<Result<O>> {
  const name = nameOf(op)
  knowOperation(name, op)
  return {
    queryKey: keyOf<Result<O>>(name, args),
    queryFn: ({ signal }) => send(op, args, signal),
  }
}

/** Marks all data read through these operations as stale; what is on screen is fetched again. */
export const invalidate = (...ops: OpShape[]): Promise<void[]> =>
  Promise.all(ops.map((op) => queryClient.invalidateQueries({ queryKey: [nameOf(op)] })))

/** Reads the data of an operation again, whether it is on screen or not. */
export const readAnew = (op: OpShape): Promise<void> => queryClient.refetchQueries({ queryKey: [nameOf(op)] })

/** Puts a known result into the cache, so that the next screen opens without waiting. */
export function remember<O extends OpShape>(op: O, args: Args<O>, value: Result<O>): void {
  queryClient.setQueryData([nameOf(op), args], value)
}

/** Takes fresh data from the cache, or fetches it. Throws ApiError: for loaders whose page cannot do without. */
export const load = <T>(one: Read<T> & { staleTime?: number }): Promise<T> =>
  // A query is cancelled when the last component that uses it unmounts. A loader that shared it starts it again.
  queryClient.query(one).catch((error: unknown) => {
    if (error instanceof CancelledError) return queryClient.query(one)
    throw error
  })

type Cause = 'preload' | 'enter' | 'stay'

/**
 * Loads what a form of changes is filled with, as it is when the form is opened: a form keeps its first values, and those
 * that another screen or a pointer on the link has read may have been changed since by another user.
 */
export const loadToEdit = <T>(cause: Cause, one: Read<T>): Promise<T> =>
  load(cause === 'enter' ? { ...one, staleTime: 0 } : one)

/** Loads and ignores errors: they surface where the data is used. */
export const prefetch = (...reads: { queryKey: readonly unknown[] }[]): Promise<unknown> =>
  Promise.all(reads.map((one) => load(one as Read<unknown>).catch(() => undefined)))

/**
 * Loads what a page with tabs or forms cannot do without. While it stays, a read that fails is no reason to take the page
 * away. It stays in the address too where it could not be loaded, and is loaded then.
 */
export const loadOrKeep = <T>(cause: Cause, one: Read<T>): Promise<unknown> =>
  cause === 'stay' && queryClient.getQueryData(one.queryKey) !== undefined ? prefetch(one) : load(one)

/** A mutation: `mutate(args)`. Failures are ApiErrors. */
export function useApi<O extends OpShape>(
  op: O,
  on: { success?: (result: Result<O>, args: Args<O>) => unknown; error?: (error: ApiError) => unknown } = {},
): UseMutationResult<Result<O>, ApiError, Args<O>> {
  return useMutation<Result<O>, ApiError, Args<O>>({
    mutationFn: (args) => send(op, args),
    onSuccess: (result, args) => on.success?.(result, args),
    onError: (error) => on.error?.(error),
  })
}
