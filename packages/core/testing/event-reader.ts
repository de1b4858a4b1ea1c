/** Reads a stream of events as a client does. */
import { createParser } from 'eventsource-parser'
import type { TestWorld, Who } from './world.ts'

export interface ReceivedEvent {
  event: string
  id: string
  scope?: string
}

export interface EventReader {
  status: number
  message?: string
  /** The events that have come since the last call. */
  received(): Promise<ReceivedEvent[]>
  /** The addresses that have changed since the last call. */
  changed(): Promise<string[]>
  isEnded(): boolean
  close(): Promise<void>
}

export interface OpenStream {
  who: Who
  scopes: readonly string[]
  lastEventId?: string
  cookie?: string
}

export const streamUrl = (scopes: readonly string[]): string =>
  `/v1/events?${scopes.map((scope) => `scope=${encodeURIComponent(scope)}`).join('&')}`

/** Opens a stream and reads it while it comes. Close it, or its timers stay. */
export async function openEvents(
  w: Pick<TestWorld, 'cookieOf' | 'plane'>,
  { who, scopes, lastEventId, cookie = w.cookieOf(who) }: OpenStream,
): Promise<EventReader> {
  const headers = {
    host: 'purlin.test',
    cookie,
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
  }
  const { status, stream, body } = await w.plane.dispatch({
    method: 'GET',
    url: streamUrl(scopes),
    headers,
    remote: '127.0.0.1',
  })
  const events: ReceivedEvent[] = []
  let isEnded = !stream
  const reader = stream?.[Symbol.asyncIterator]()
  const read = async () => {
    for (let one = await reader?.next(); one && !one.done; one = await reader?.next())
      events.push(...parseEvents(one.value))
    isEnded = true
  }
  void read()
  const received = async () => {
    await new Promise(setImmediate)
    return events.splice(0)
  }
  return {
    status,
    ...(body === null ? {} : { message: (JSON.parse(body) as { message: string }).message }),
    received,
    changed: async () => (await received()).flatMap(({ scope }) => scope ?? []),
    isEnded: () => isEnded,
    close: async () => void (await reader?.return?.()),
  }
}

/** The events in a text. */
export function parseEvents(text: string): ReceivedEvent[] {
  const events: ReceivedEvent[] = []
  const parser = createParser({
    onEvent: ({ event = '', id = '', data }) => {
      const { scope } = JSON.parse(data) as { scope?: string }
      events.push({ event, id, ...(scope === undefined ? {} : { scope }) })
    },
  })
  parser.feed(text)
  return events
}
