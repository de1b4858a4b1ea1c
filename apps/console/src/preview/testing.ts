/** The control plane for tests of the console: the real core with an in-memory database and simulated sleds. */
import { operations } from '@purlin/contract/operations'
import { openWorld, type TestWorld, type Who } from '@purlin/core/testing/world'
import { onTestFinished, vi } from 'vitest'
import { ApiError, nameOf } from '#/api/send.ts'
import { setTransport, type ConsoleTransport } from '#/api/transport.ts'

export { addGroups } from '@purlin/core/testing/machines'
export { schemaOf, type Stored } from '@purlin/core/testing/memory-series'
export { queryEngine } from '@purlin/core/testing/query-engine'
export { blocks, contentOf, importedDisk, storageOf } from '@purlin/core/testing/storage'

/** Called with the name of the operation, and query and body of the request; may wait, or throw to fail the call. */
export type CallHook = (call: string, input: Record<string, unknown>) => unknown

export interface TestControlPlane {
  world: TestWorld
  /** The names of all calls so far. */
  calls: string[]
  /** Their addresses. */
  urls: string[]
  /** Sets the hook that runs before each call. */
  before: (hook: CallHook) => void
  /** Sets the hook that runs after each call, before its response is returned. */
  after: (hook: CallHook) => void
  /** For a hook: holds the call until the test ends, then fails it, so that nothing calls the next test's plane. */
  hang: () => Promise<never>
}

const allowAll: CallHook = () => undefined

/**
 * Opens a control plane and connects the console to it, as this user, until the test ends. One that is `isForeign` does
 * not know the parameters of lists that are ours.
 */
export async function openControlPlane(
  who: Who = 'projectCollaborator',
  { isForeign = false }: { isForeign?: boolean } = {},
): Promise<TestControlPlane> {
  const world = await openWorld()
  const calls: string[] = []
  const urls: string[] = []
  const hooks = { before: allowAll, after: allowAll }
  const ended = Promise.withResolvers<never>()
  ended.promise.catch(() => undefined)
  const send: ConsoleTransport['send'] = async ({ method, url, headers, body, signal }) => {
    const call = operationOf(method, url)
    const search = Object.fromEntries(new URLSearchParams(url.split('?')[1]))
    const json = typeof body === 'string' ? (JSON.parse(body) as Record<string, unknown>) : {}
    const parsed = { ...search, ...json }
    calls.push(call)
    urls.push(url)
    await Promise.race([hooks.before(call, parsed), aborted(signal)])
    const known = isForeign ? url.replaceAll(/(?<=[?&])(find|filter|total)=[^&]*&?/g, '') : url
    const response = await world.raw({
      method,
      url: known,
      headers,
      who,
      ...(body === undefined ? {} : { body }),
    })
    await hooks.after(call, parsed)
    return { ...response, body: response.text }
  }
  const openSocket = () => {
    throw new Error('tests open no sockets')
  }
  setTransport({ send, openSocket })
  // Failed calls are logged with the address of the page.
  vi.stubGlobal('window', { location: { pathname: '/', search: '', assign: () => undefined } })
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  onTestFinished(async () => {
    ended.reject(new ApiError('call', 400, { message: 'the test has ended' }))
    await new Promise((resolve) => setTimeout(resolve))
    log.mockRestore()
    vi.unstubAllGlobals()
    await world.close()
  })
  return {
    world,
    calls,
    urls,
    before: (hook) => void (hooks.before = hook),
    after: (hook) => void (hooks.after = hook),
    hang: () => ended.promise,
  }
}

const patterns = Object.values(operations).map((op) => ({
  method: op.method,
  name: nameOf(op),
  path: new RegExp(`^${op.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))
const operationOf = (method: string, url: string): string => {
  const [path = ''] = url.split('?')
  return patterns.find((one) => one.method === method && one.path.test(path))?.name ?? `${method} ${path}`
}

const aborted = (signal: unknown) =>
  new Promise<never>((_, reject) => {
    if (!(signal instanceof AbortSignal)) return
    const abort = () => reject(signal.reason as Error)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
