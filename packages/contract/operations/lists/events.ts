/** Notifications of changes in the lists and views on a user's screen. */
import { op } from '#/op.ts'
import { eventStreamType } from '#/rules/events.ts'
import { limits } from '#/rules/limits.ts'
import { array, boolean, defaulted, object, string } from '#/schema.ts'

const { scopes, scope } = limits.events

export const eventStream = op({
  method: 'GET', path: '/v1/events', allow: 'user', ok: 200, tag: 'events', streams: [eventStreamType],
  query: object({
    scope: array(string({ maxLength: scope }), { count: scopes, noun: 'scopes' }),
    follow: defaulted(boolean(), () => true),
  }),
})
