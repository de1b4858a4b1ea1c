/** Reads server-sent events as our server writes them: a field a line, an empty line at the end. */

export interface ReceivedEvent {
  event: string
  scope?: string | undefined
}

/** The events in pieces of text. Comments are left out. */
export async function* eventsIn(text: AsyncIterable<string>): AsyncGenerator<ReceivedEvent> {
  let rest = ''
  for await (const piece of text) {
    const blocks = (rest + piece).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = fieldOf(block, 'event')
      if (event !== undefined) yield { event, scope: scopeOf(fieldOf(block, 'data')) }
    }
  }
}

function fieldOf(block: string, name: string): string | undefined {
  const line = block.split('\n').find((one) => one.startsWith(`${name}: `))
  return line?.slice(name.length + 2)
}

function scopeOf(data: string | undefined): string | undefined {
  const { scope } = JSON.parse(data ?? '{}') as { scope?: unknown }
  return typeof scope === 'string' ? scope : undefined
}
