/**
 * The stream of events about what is on screen: one in each window that is seen. Queries of addresses that answer
 * something else are read again. It begins with the digests of the answers that the console has, so that nothing is
 * missed before it is open, or while it was not.
 */
import { eventStream } from '@purlin/contract/operations/events'
import { urlOf } from '@purlin/contract/client'
import { eventIdOf } from '@purlin/contract/rules/events'
import { limits } from '@purlin/contract/rules/limits'
import { digestOfAnswer } from './answers.ts'
import { connection } from './connection.ts'
import { whenFree } from './heldReads.ts'
import { createMerger } from './mergedReads.ts'
import { eventsIn } from './eventText.ts'
import { queryClient } from './query.ts'
import { onSignedIn } from './session.ts'
import { transport, type EventsAnswer } from './transport.ts'
import { addressesOf, setWatched } from './watched.ts'

// A page is loaded first: until then there is little to tell.
const firstMs = 1000
const settleMs = 250
const retryMs = { first: 1000, longest: 15_000 }
const refusedMs = 60_000
/** Of the address of the stream. */
const longestUrl = 6000

/** The addresses of the queries on screen that have an answer, as far as there is room for them. */
function addressesOnScreen(without: ReadonlySet<string>): string[] {
  const found = new Set<string>()
  let length = 0
  const isWatchable = (address: string) =>
    address.length <= limits.events.scope && !without.has(address) && digestOfAnswer(address) !== ''
  const shown = queryClient
    .getQueryCache()
    .findAll({ type: 'active' })
    .filter(({ state }) => state.status === 'success')
    .map((query) => addressesOf(query))
    .filter((addresses) => addresses.every(isWatchable))
  // What is of one address is more often what a page is about.
  for (const addresses of shown.toSorted((a, b) => a.length - b.length)) {
    const added = addresses.filter((one) => !found.has(one))
    const more = added.reduce((sum, one) => sum + encodeURIComponent(one).length + 'scope=&'.length, 0)
    if (found.size + added.length > limits.events.scopes || length + more > longestUrl) break
    length += more
    for (const one of added) found.add(one)
  }
  return [...found].toSorted()
}

type Outcome =
  | { at: 'ended' | 'failed' | 'absent' | 'full' | 'signedOut' }
  | { at: 'refused'; address: string }

function outcomeOf({ status, message }: Pick<EventsAnswer, 'status' | 'message'>): Outcome {
  const address = /^scope (\S+): /.exec(message)?.[1]
  if (status === 401) return { at: 'signedOut' }
  if (status === 429) return { at: 'full' }
  if (address !== undefined && status < 500) return { at: 'refused', address }
  return { at: status >= 500 ? 'failed' : 'absent' }
}

interface Reading {
  signal: AbortSignal
  opened: (wanted: readonly string[]) => void
  changed: (address: string) => void
}

/** Reads a stream to its end. */
async function readEvents(wanted: readonly string[], { signal, opened, changed }: Reading): Promise<Outcome> {
  try {
    const url = urlOf(eventStream, { query: { scope: [...wanted] } })
    const lastEventId = eventIdOf(wanted.map(digestOfAnswer))
    const answer = await transport().openEvents?.(url, { lastEventId, signal })
    if (!answer) return { at: 'absent' }
    if (!answer.text) return outcomeOf(answer)
    for await (const { event, scope } of eventsIn(answer.text)) {
      if (signal.aborted) break
      if (event === 'watching') opened(wanted)
      else if (scope !== undefined) changed(scope)
    }
    return { at: 'ended' }
  } catch {
    return { at: 'failed' }
  }
}

interface PageListener {
  /** The page is seen again, or no longer. */
  seen: () => void
  gone: () => void
  /** Other queries may be on screen. */
  changed: () => void
  signedIn: () => void
}

/** Listens to what the page does until the returned function is called. */
function listen({ seen, gone, changed, signedIn }: PageListener): () => void {
  const unsubscribe = queryClient.getQueryCache().subscribe(({ type }) => {
    if (type === 'observerAdded' || type === 'observerRemoved' || type === 'updated') changed()
  })
  const unlisten = onSignedIn(signedIn)
  document.addEventListener('visibilitychange', seen)
  window.addEventListener('online', seen)
  // The control plane of the preview is in this page.
  if (!transport().preview) window.addEventListener('offline', gone)
  return () => {
    unsubscribe()
    unlisten()
    document.removeEventListener('visibilitychange', seen)
    window.removeEventListener('online', seen)
    window.removeEventListener('offline', gone)
  }
}

const areSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one, i) => one === others[i])

/** Nothing is shown that could be out of date. */
function nothingToFollow(): void {
  connection.set('unknown')
  setWatched(new Set(), queryClient)
}

/** Follows what is on screen until the returned function is called. */
export function followEvents(): () => void {
  const merged = createMerger(
    (hash) => new Promise<void>((done) => whenFree(() => void readAgain(hash).then(done))),
  )
  const refused = new Set<string>()
  let asked: readonly string[] = []
  let isAbsent = false
  let failures = 0
  let abort = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined

  const soon = (ms: number) => {
    clearTimeout(timer)
    if (!isAbsent) timer = setTimeout(() => void reconsider(), ms)
  }
  function stopReading(): void {
    abort.abort()
    abort = new AbortController()
    asked = []
  }
  async function reconsider(): Promise<void> {
    timer = undefined
    if (document.hidden) return stopReading()
    const wanted = addressesOnScreen(refused)
    if (areSame(wanted, asked)) return
    stopReading()
    if (wanted.length === 0) return nothingToFollow()
    asked = wanted
    const { signal } = abort
    const outcome = await readEvents(wanted, {
      signal,
      opened,
      changed: (one) => shownFrom(one).forEach(merged.add),
    })
    if (!signal.aborted) ended(outcome)
  }
  function opened(wanted: readonly string[]): void {
    failures = 0
    connection.set('there')
    setWatched(new Set(wanted), queryClient)
  }
  function ended(outcome: Outcome): void {
    asked = []
    if (outcome.at === 'ended') return soon(settleMs)
    if (outcome.at === 'refused') refused.add(outcome.address)
    if (outcome.at === 'refused') return soon(settleMs)
    setWatched(new Set(), queryClient)
    // The next request finds out that the session has ended.
    if (outcome.at === 'absent' || outcome.at === 'signedOut') isAbsent = true
    if (outcome.at === 'full') return soon(refusedMs)
    if (outcome.at !== 'failed') return
    failures++
    // One that fails alone is a connection that broke.
    if (failures > 1) connection.set('lost')
    soon(Math.min(retryMs.longest, retryMs.first * 2 ** (failures - 1)))
  }

  const seen = () => soon(0)
  const gone = () => {
    stopReading()
    failures = 1
    ended({ at: 'failed' })
  }
  connection.onRetry(seen)
  const unlisten = listen({
    seen,
    gone,
    // Without a connection it is tried at its own pace.
    changed: () => void (timer === undefined && soon(settleMs)),
    signedIn: () => {
      isAbsent = false
      seen()
    },
  })
  soon(firstMs)
  return () => {
    isAbsent = true
    clearTimeout(timer)
    merged.stop()
    unlisten()
    connection.onRetry(() => undefined)
    stopReading()
    nothingToFollow()
  }
}

/** The hashes of what is on screen and was read from an address. */
const shownFrom = (address: string): string[] =>
  queryClient
    .getQueryCache()
    .findAll({ type: 'active', predicate: (query) => addressesOf(query).includes(address) })
    .map(({ queryHash }) => queryHash)

/** Reads a query again if it is still on screen. */
const readAgain = (hash: string): Promise<void> =>
  queryClient.invalidateQueries({ type: 'active', predicate: ({ queryHash }) => queryHash === hash })
