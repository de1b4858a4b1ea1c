/** Reads a stream of events as a client does. */
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

/** The events in a text; comments are left out. */
export function parseEvents(text: string): ReceivedEvent[] {
  return text.split('\n\n').flatMap((block) => {
    const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]))
    const event = fields.get('event')
    if (event === undefined) return []
    const { scope } = JSON.parse(fields.get('data') ?? '{}') as { scope?: string }
    return [{ event, id: fields.get('id') ?? '', ...(scope === undefined ? {} : { scope }) }]
  })
}
