/** Reads server-sent events. */
import { createParser } from 'eventsource-parser'

export interface ReceivedEvent {
  event: string
  scope?: string | undefined
}

/** The named events in pieces of text. */
export async function* eventsIn(text: AsyncIterable<string>): AsyncGenerator<ReceivedEvent> {
  const events: ReceivedEvent[] = []
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (event !== undefined) events.push({ event, scope: scopeOf(data) })
    },
  })
  for await (const piece of text) {
    parser.feed(piece)
    yield* events.splice(0)
  }
}

function scopeOf(data: string): string | undefined {
  const { scope } = JSON.parse(data) as { scope?: unknown }
  return typeof scope === 'string' ? scope : undefined
}
