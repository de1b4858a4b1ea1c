/** Which tables were written when: by this process, and by other servers of the same database. */
import type { World } from '#/context.ts'
import { missedMessages } from '#/db/engine.ts'
import type { TableName } from '#/db/tables.ts'

export interface Writes {
  /** Records writes, until `stop`. */
  start(): void
  stop(): void
  /** The number of the last commit that is known. */
  last(): number
  /** True if one of these tables was written in a later commit than this one. */
  since(tables: Iterable<TableName>, commit: number): boolean
}

const message = 'wrote '
// One message to the other servers covers several commits.
const mergeMs = 50

/** `onWrite` is called after each. */
export function createWrites(world: World, onWrite: () => void): Writes {
  const { engine } = world
  const lastOf = new Map<TableName, number>()
  let last = 0
  /** The last commit when messages may have got lost: each table may have been written. */
  let missedAt = 0
  let unlisten = () => {}
  const note = (tables: Iterable<TableName>) => {
    last++
    for (const table of tables) lastOf.set(table, last)
    onWrite()
  }
  notifyOtherServers(world)
  engine.messages?.listen((text) => {
    if (text === missedMessages) {
      missedAt = ++last
      onWrite()
    } else if (text.startsWith(message)) note(text.slice(message.length).split(' ') as TableName[])
  })
  return {
    start: () => (unlisten = engine.onWritten(note)),
    stop: () => unlisten(),
    last: () => last,
    since(tables, commit) {
      if (commit < 0 || missedAt > commit) return true
      for (const table of tables) if ((lastOf.get(table) ?? 0) > commit) return true
      return false
    },
  }
}

/**
 * Notifies the other servers, if there may be some. Names of tables fit into one message of PostgreSQL, which has 8
 * kB.
 */
function notifyOtherServers({ engine, clock }: World): void {
  const { messages } = engine
  if (!messages) return
  const unsent = new Set<TableName>()
  const send = () => {
    messages.send(message + [...unsent].join(' '))
    unsent.clear()
  }
  engine.onWritten((tables) => {
    if (unsent.size === 0) clock.after(mergeMs, send)
    for (const table of tables) unsent.add(table)
  })
}
