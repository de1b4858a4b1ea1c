/** Warns before the session ends because it is not used. */
import { currentUserView } from '@purlin/contract/operations/access/sessions'
import { queryClient } from '#/api/query.ts'
import { send } from '#/api/send.ts'
import { sessionEnds, sessionProblem, sessionUse } from '#/api/session.ts'
import { ownNow } from '#/lib/clock.ts'
import { ownQueries } from '#/resource/role/useRole.ts'

const lookMs = 5000
/** The warning comes this long before the end, or halfway to it if that is sooner. */
const warnMs = 5 * 60_000
/** The server counts from a moment before its answer comes. */
const lateMs = 1000

/** Returns what ends it. Tabs share the session, and tell each other when they use it. */
export function followIdle(): () => void {
  const tabs = new BroadcastChannel('session-use')
  let published = 0
  /** The end after which the server was asked. */
  let asked = 0
  tabs.addEventListener('message', ({ data }) => {
    if (typeof data !== 'number' || data <= sessionUse.at) return
    sessionUse.at = published = data
    look()
  })
  function look(): void {
    if (sessionUse.at > published) {
      published = sessionUse.at
      // oxlint-disable-next-line require-post-message-target-origin -- a channel has no such argument
      tabs.postMessage(published)
    }
    const idleMs = (queryClient.getQueryData(ownQueries.me().queryKey)?.sessionIdleSeconds ?? Infinity) * 1000
    const end = sessionUse.at + idleMs
    const left = end - ownNow()
    const isNear = left < Math.min(warnMs, idleMs / 2)
    sessionEnds.set(isNear && sessionProblem() === undefined ? end : undefined)
    if (left > -lateMs || asked === end) return
    asked = end
    // The answer of 401 leads to the sign-in page, which shows nothing of the user's.
    void send(currentUserView, { query: {} }).catch(() => undefined)
  }
  const timer = setInterval(look, lookMs)
  return () => {
    clearInterval(timer)
    tabs.close()
  }
}
