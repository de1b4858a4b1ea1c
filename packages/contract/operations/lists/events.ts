/** Which of the lists and views on somebody's screen have changed, told while they do. */
import { op } from '#/op.ts'
import { eventStreamType } from '#/rules/events.ts'
import { limits } from '#/rules/limits.ts'
import { array, boolean, defaulted, object, string } from '#/schema.ts'

const { scopes, scope } = limits.events

export const eventStream = op({
  method: 'GET', path: '/v1/events', allow: 'user', ok: 200, tag: 'events', streams: [eventStreamType],
  summary: 'Tell which of these addresses answer something else than before',
  query: object({
    /** Addresses of lists and views that the user may read, such as `/v1/instances?project=demo`. */
    scope: array(string({ maxLength: scope }), { count: scopes, noun: 'scopes' }),
    /** If not, the answer ends with what has changed since `Last-Event-ID`. */
    follow: defaulted(boolean(), () => true),
  }),
})
