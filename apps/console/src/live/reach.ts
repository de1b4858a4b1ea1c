/** Finds out whether the server can be reached when something has failed, says so, and says when to try again. */
import { ping } from '@purlin/contract/operations/access/sessions'
import { ApiError, urlOf } from '@purlin/contract/client'
import type { Query } from '@tanstack/react-query'
import { connection } from '../api/connection.ts'
import { queryClient } from '../api/query.ts'
import { retry } from '../api/retry.ts'
import { transport } from '../api/transport.ts'

const retryMs = { first: 1000, longest: 15_000 }
/** ms that nothing is heard of a server before it counts as away. */
const patienceMs = 4000

export interface Reach {
  /** Notes that it answers. */
  answers: () => void
  /** Notes that something has failed, or that the server is silent. Returns the ms until the next try. */
  failed: (isSilent?: boolean) => Promise<number>
  /** Notes that there is no network, and returns the same. */
  offline: () => number
  /** Asks the server, where no stream says whether it is there, and returns the same if it is not. */
  ask: () => Promise<number | undefined>
  end: () => void
}

/**
 * The router loads the whole page again when a file of the console is missing, because a new version may be there. While
 * nothing answers, that would leave the browser's own error.
 */
function createPageKeeper(isFailing: () => boolean) {
  const kept = new Set<string>()
  const keep = (event: Event) => {
    const payload = 'payload' in event && event.payload instanceof Error ? event.payload : undefined
    connection.unanswered()
    if (!payload || !isFailing()) return
    const key = `tanstack_router_reload:${payload.message}`
    kept.add(key)
    sessionStorage.setItem(key, '1')
  }
  const forget = () => {
    for (const key of kept) sessionStorage.removeItem(key)
    kept.clear()
  }
  window.addEventListener('vite:preloadError', keep)
  return { forget, end: () => window.removeEventListener('vite:preloadError', keep) }
}

async function isThere(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(patienceMs)
    const { status } = await transport().send({
      method: ping.method,
      url: urlOf(ping, {}),
      headers: {},
      signal,
    })
    return status < 500
  } catch {
    return false
  }
}

export function createReach(): Reach {
  let failures = 0
  const keeper = createPageKeeper(() => failures > 0 || !navigator.onLine)

  function isBack(next: 'there' | 'unknown'): void {
    const hadFailed = failures > 0
    if (next === 'there') failures = 0
    retry.found(next)
    if (!hadFailed) return
    keeper.forget()
    readFailed()
    retry.isBack()
  }
  function noteFailure(): number {
    failures++
    return Math.min(retryMs.longest, retryMs.first * 2 ** (failures - 1))
  }
  return {
    end: keeper.end,
    answers: () => isBack('there'),
    async failed(isSilent = false) {
      const next = noteFailure()
      // One that fails alone is a connection that broke. Silence is more likely to be the server's.
      if (!isSilent && failures === 1 && !connection.isAway()) return next
      if (!navigator.onLine) retry.found('offline')
      else if (await isThere()) isBack('unknown')
      else retry.found('lost')
      return next
    },
    offline() {
      retry.found('offline')
      return noteFailure()
    },
    async ask() {
      if (await isThere()) {
        isBack('there')
        return undefined
      }
      const next = noteFailure()
      if (!navigator.onLine) retry.found('offline')
      else if (failures > 1) retry.found('lost')
      return next
    },
  }
}

/** Repeats the reads that have failed. */
function readFailed(): void {
  const isUnanswered = ({ state: { status, error } }: Query): boolean =>
    status === 'error' && !(error instanceof ApiError && error.status < 500)
  void queryClient.refetchQueries({ type: 'active', predicate: isUnanswered })
}
