/** The stream of changes: see `packages/core/events`. */
import { digestsOf, eventStreamType } from '@purlin/contract/rules/events'
import type { Family } from '#/context.ts'

export const events: Family<'eventStream'> = {
  eventStream: {
    withoutTransaction: async (request, { query }) => {
      const { scope: scopes, follow } = query
      const known = digestsOf(request.lastEventId ?? '')
      const text = await request.watch({ scopes, known, follow })
      request.answer.stream = { contentType: eventStreamType, text }
    },
  },
}
