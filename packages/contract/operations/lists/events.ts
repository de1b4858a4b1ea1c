/** Notifications of changes in the lists and views on a user's screen. */
import { op } from '#/op.ts'
import { eventStreamType } from '#/rules/events.ts'
import { limits } from '#/rules/limits.ts'
import { array, boolean, defaulted, object, string } from '#/schema.ts'

const { scopes, scope } = limits.events

export const eventStream = op({
  method: 'GET', path: '/v1/events', allow: 'user', ok: 200, tag: 'events', streams: [eventStreamType],
  summary: 'Report which of these addresses have a different answer than before',
  query: object({
    /** Addresses of lists and views that the user may read, such as `/v1/instances?project=demo`. */
    scope: array(string({ maxLength: scope }), { count: scopes, noun: 'scopes' }),
    /** If false, the answer ends after the changes since `Last-Event-ID`. */
    follow: defaulted(boolean(), () => true),
  }),
})
