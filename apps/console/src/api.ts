/** Queries and mutations over the contract's client: the console's only way to the API. */
import { ApiError, call, type CallOptions } from '@purlin/contract/client'
import type { Args, OpShape, Result } from '@purlin/contract/op'
import { QueryClient, queryOptions, useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { link } from './transport.ts'
import { sessionEnded } from './session.ts'

export { ApiError }

const fresh = 2_000

/** The cache. Queries do not retry, stay fresh for 2 seconds and ignore window focus. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: fresh,
      retry: false,
      refetchOnWindowFocus: false,
      // What is not there belongs to the nearest error boundary; other failures stay with their query.
      throwOnError: (error) => error instanceof ApiError && error.status === 404,
    },
    mutations: { retry: false },
  },
})

/** Calls an operation once, past the cache. A lost session is told to the app, then thrown. */
export async function send<O extends OpShape>(op: O, args: Args<O>, options: CallOptions = {}): Promise<Result<O>> {
  try {
    return await call(link().send, { name: nameOf(op), op }, args, options)
  } catch (error) {
    if (error instanceof ApiError) {
      logFailure(error, op)
      if (error.status === 401 && !op.path.startsWith('/v1/login/')) sessionEnded()
    }
    throw error
  }
}

const nameOf = (op: OpShape) => `${op.method} ${op.path}`

function logFailure(error: ApiError, op: OpShape): void {
  const page = window.location.pathname + window.location.search
  console.error(`${error.status} ${nameOf(op)} on ${page}\n  request ${error.requestId ?? '–'} · ${error.code ?? '–'} · ${error.message.replaceAll('\n', '\n  ')}`)
}

const keyOf = (op: OpShape) => nameOf(op)

/** The query of a read, for loaders and components alike. */
export const query = <O extends OpShape>(op: O, args: Args<O>) =>
  queryOptions({
    queryKey: [keyOf(op), args] as const,
    queryFn: ({ signal }): Promise<Result<O>> => send(op, args, { signal }),
  })

/** Marks everything read through these operations as stale; what is on screen is read again. */
export const invalidate = (...ops: OpShape[]): Promise<void[]> =>
  Promise.all(ops.map((op) => queryClient.invalidateQueries({ queryKey: [keyOf(op)] })))

/** Puts a known answer into the cache, so that the next screen opens without waiting. */
export function remember<O extends OpShape>(op: O, args: Args<O>, value: Result<O>): void {
  queryClient.setQueryData([keyOf(op), args], value)
}

/** Loads and swallows errors: they surface where the answer is used. */
export const prefetch = (...queries: { queryKey: readonly unknown[] }[]): Promise<unknown> =>
  Promise.all(queries.map((one) => queryClient.prefetchQuery(one as Parameters<QueryClient['prefetchQuery']>[0])))

/** A write. `mutate(args)`; failures are ApiErrors. */
export function useApi<O extends OpShape>(
  op: O,
  on: { success?: (result: Result<O>, args: Args<O>) => unknown; error?: (error: ApiError) => unknown } = {},
): UseMutationResult<Result<O>, ApiError, Args<O>> {
  useQueryClient()
  return useMutation<Result<O>, ApiError, Args<O>>({
    mutationFn: (args) => send(op, args),
    onSuccess: (result, args) => on.success?.(result, args),
    onError: (error) => on.error?.(error),
  })
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const words: Record<string, string> = { 'ssh-key': 'SSH key', vpc: 'VPC', 'vpc-subnet': 'VPC subnet', 'floating-ip': 'Floating IP' }

/** A failure in words for people. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Could not reach the server. Check the connection and try again.'
  if (error.code === 'Forbidden') return 'Action not authorized'
  if (error.code === 'ObjectAlreadyExists') {
    const kind = /already exists: ([a-z-]+)/.exec(error.message)?.[1] ?? 'resource'
    return `${words[kind] ?? sentence(kind.replaceAll('-', ' '))} name already exists`
  }
  const parse = /^unable to parse JSON body: ([^]*?)(?: at line \d+ column \d+)?$/.exec(error.message)
  return sentence(parse?.[1] ?? error.message) || 'Unknown server error'
}

/** What a form or toast shows of a failure. */
export const failure = (error: unknown): { message: string; requestId?: string } => ({
  message: errorMessage(error),
  ...(error instanceof ApiError && error.requestId ? { requestId: error.requestId } : {}),
})
