/** The last answers of reads. With their digests, a stream of events reports only differences. */
import type { Transport } from '@purlin/contract/http'
import { ping } from '@purlin/contract/operations/access/sessions'
import { digestOf } from '@purlin/contract/rules/events'
import { ownNow } from '#/lib/clock.ts'
import { connection } from './connection.ts'
import { sessionUse } from './session.ts'

const most = 200
const digests = new Map<string, string>()

/** The digest of the last answer from an address; empty if there is none. */
export const digestOfAnswer = (url: string): string => digests.get(url) ?? ''

/** The same transport, whose answers are noted, and what nothing has answered. */
export const noting =
  (send: Transport): Transport =>
  async (request) => {
    const response = await send(request).catch((error: unknown) => {
      // One that is not waited for any longer says nothing.
      if (error instanceof TypeError) connection.unanswered()
      throw error
    })
    if (response.status < 400 && request.url !== ping.path) sessionUse.at = ownNow()
    if (request.method === 'GET' && response.status === 200 && response.body !== null) {
      digests.delete(request.url)
      digests.set(request.url, digestOf(response.body))
      if (digests.size > most) digests.delete(digests.keys().next().value ?? '')
    }
    return response
  }
