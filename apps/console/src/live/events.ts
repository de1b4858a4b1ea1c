/**
 * The stream of events about what is on screen: one in each window that is seen. Queries of addresses that answer
 * something else are read again. It begins with the digests of the answers that the console has, so that nothing is
 * missed before it is open, or while it was not.
 */
import { currentUserView } from '@purlin/contract/operations/access/sessions'
import { eventStream } from '@purlin/contract/operations/lists/events'
import { urlOf } from '@purlin/contract/client'
import { eventIdOf } from '@purlin/contract/rules/events'
import { messages } from '@purlin/contract/rules/messages'
import { limits } from '@purlin/contract/rules/limits'
import { digestOfAnswer } from '../api/answers.ts'
import { connection } from '../api/connection.ts'
import { whenFree } from './heldReads.ts'
import { createReach } from './reach.ts'
import { retry } from '../api/retry.ts'
import { createMerger } from './mergedReads.ts'
import { eventsIn } from './eventText.ts'
import { queryClient } from '../api/query.ts'
import { noteSessionEnd, onSignedIn, otherUserSignedIn, sessionProblem, signedIn } from '../api/session.ts'
import { transport, type EventsAnswer } from '../api/transport.ts'
import { addressesOf, forgetAddresses, setWatched } from '../api/watched.ts'

// A page is loaded first: until then there is little to tell.
const firstMs = 1000
const settleMs = 250
/** ms until a silent stream counts as broken: the server writes every 5 s, and a frozen one does not close it. */
const silenceMs = 9000
const refusedMs = 60_000
/** ms between looks for a session while there is none: another tab may have renewed it. */
const signedOutMs = 15_000
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
  // A page is more often about queries with one address.
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
  | { at: 'ended' | 'failed' | 'silent' | 'absent' | 'full' | 'signedOut' }
  | { at: 'refused'; address: string }

function outcomeOf({ status, message }: Pick<EventsAnswer, 'status' | 'message'>): Outcome {
  const address = messages.scope.read(message)?.scope
  if (status === 401 || status === 409) return { at: 'signedOut' }
  if (status === 429) return { at: 'full' }
  if (address !== undefined && status < 500) return { at: 'refused', address }
  return { at: status >= 500 ? 'failed' : 'absent' }
}

interface Reading {
  signal: AbortSignal
  opened: (addresses: readonly string[]) => void
  changed: (address: string) => void
}

/** Reads a stream to its end. */
async function readEvents(
  addresses: readonly string[],
  { signal, opened, changed }: Reading,
): Promise<Outcome> {
  const silence = createSilence()
  try {
    const url = urlOf(eventStream, { query: { scope: [...addresses] } })
    const lastEventId = eventIdOf(addresses.map(digestOfAnswer))
    const either = AbortSignal.any([signal, silence.signal])
    const answer = await transport().openEvents?.(url, { lastEventId, signal: either })
    if (!answer) return { at: 'absent' }
    if (!answer.text) return outcomeOf(answer)
    for await (const { event, scope } of eventsIn(silence.brokenBy(answer.text))) {
      if (signal.aborted) break
      if (event === 'watching') opened(addresses)
      else if (scope !== undefined) changed(scope)
    }
    return { at: silence.signal.aborted ? 'silent' : 'ended' }
  } catch {
    return { at: silence.signal.aborted ? 'silent' : 'failed' }
  } finally {
    silence.end()
  }
}

/** Aborts when nothing has come for long. */
function createSilence() {
  const abort = new AbortController()
  let timer = setTimeout(() => abort.abort(), silenceMs)
  const end = () => clearTimeout(timer)
  return {
    signal: abort.signal,
    end,
    async *brokenBy(text: AsyncIterable<string>): AsyncGenerator<string> {
      for await (const piece of text) {
        end()
        timer = setTimeout(() => abort.abort(), silenceMs)
        yield piece
      }
    },
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
  const unsubscribe = queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'removed') forgetAddresses(query)
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

/** The stream that is read: one at a time. */
function createReader() {
  let current: readonly string[] = []
  let abort = new AbortController()
  const stop = () => {
    abort.abort()
    abort = new AbortController()
    current = []
  }
  return {
    stop,
    isOf: (addresses: readonly string[]) => areSame(addresses, current),
    /** How it ends; undefined if it is stopped. */
    async read(addresses: readonly string[], on: Omit<Reading, 'signal'>): Promise<Outcome | undefined> {
      stop()
      current = addresses
      const { signal } = abort
      const outcome = await readEvents(addresses, { ...on, signal })
      if (signal.aborted) return undefined
      current = []
      return outcome
    },
  }
}

/** How changes are known: from a stream, or lists are polled. */
type Mode = 'stream' | 'polls'

/** Looks whether there is a session again. Returns whether there is. */
async function hasSession(): Promise<boolean> {
  const url = urlOf(currentUserView, { query: {} })
  const answer = await transport()
    .send({ method: currentUserView.method, url, headers: {} })
    .catch(() => undefined)
  if (answer?.status === 409 && sessionProblem() !== 'otherUser') otherUserSignedIn()
  return answer?.status === 200
}

/** When to look again: one timer. `isIdle` is false while it runs and while the server is being asked. */
function createSchedule(look: () => Promise<void>) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isAsking = false
  let isOver = false
  const soon = (ms: number): void => {
    clearTimeout(timer)
    if (isOver) return
    timer = setTimeout(() => {
      timer = undefined
      void look()
    }, ms)
  }
  return {
    soon,
    isIdle: () => timer === undefined && !isAsking,
    /** Asks the server, and looks again after the time that it returns, if any. */
    askWhen: async (ask: () => Promise<number | undefined>): Promise<void> => {
      isAsking = true
      const next = await ask().finally(() => (isAsking = false))
      if (next !== undefined) soon(next)
    },
    stop: () => {
      isOver = true
      clearTimeout(timer)
    },
  }
}

/** Follows what is on screen until the returned function is called. */
export function followEvents(): () => void {
  const merged = createMerger(async (hash) => {
    await whenFree()
    await readAgain(hash)
  })
  const reach = createReach()
  const reader = createReader()
  const refused = new Set<string>()
  let mode: Mode = 'stream'
  const { soon, askWhen, isIdle, stop } = createSchedule(look)

  async function look(): Promise<void> {
    if (document.hidden) return reader.stop()
    if (sessionProblem()) return lookForSession()
    const addresses = mode === 'polls' ? [] : addressesOnScreen(refused)
    if (addresses.length > 0 && reader.isOf(addresses)) return
    if (addresses.length > 0) return ended(await reader.read(addresses, { opened, changed }))
    reader.stop()
    setWatched(new Set(), queryClient)
    if (mode === 'polls' || connection.isAway()) await askWhen(reach.ask)
  }
  async function lookForSession(): Promise<void> {
    reader.stop()
    await askWhen(async () => {
      if (!(await hasSession())) return signedOutMs
      signedIn()
      await queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
      return undefined
    })
  }
  function opened(addresses: readonly string[]): void {
    reach.answers()
    setWatched(new Set(addresses), queryClient)
  }
  const changed = (address: string) => shownFrom(address).forEach((hash) => merged.add(hash))
  async function ended(outcome: Outcome | undefined): Promise<void> {
    if (!outcome) return
    if (outcome.at === 'refused') refused.add(outcome.address)
    if (outcome.at === 'ended' || outcome.at === 'refused') return soon(settleMs)
    setWatched(new Set(), queryClient)
    if (outcome.at === 'failed' || outcome.at === 'silent') {
      const isSilent = outcome.at === 'silent'
      return askWhen(() => reach.failed(isSilent))
    }
    reach.answers()
    if (outcome.at === 'full') return soon(refusedMs)
    if (outcome.at === 'absent') return void (mode = 'polls')
    noteSessionEnd()
    soon(0)
  }

  const seen = () => soon(0)
  const gone = () => {
    reader.stop()
    setWatched(new Set(), queryClient)
    soon(reach.offline())
  }
  const again = () => {
    mode = 'stream'
    seen()
  }
  // Without a connection it is tried at its own pace.
  const other = () => void (mode === 'stream' && isIdle() && soon(settleMs))
  const unlisten = listen({ seen, gone, changed: other, signedIn: again })
  retry.try = seen
  connection.unanswered = () => void (mode === 'polls' && isIdle() && soon(0))
  soon(firstMs)
  return () => {
    stop()
    merged.stop()
    unlisten()
    reach.end()
    retry.try = () => undefined
    connection.unanswered = () => undefined
    reader.stop()
    retry.found('unknown')
    setWatched(new Set(), queryClient)
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
