/** Poolers between a server and its database. */
import { randomUUID } from 'node:crypto'
import pg, { type ClientConfig } from 'pg'
import { DatabaseUnusable } from '@purlin/core/ports'

const shared =
  'a pooler gives each transaction another session (transaction pooling). Use session pooling, or connect to the database directly'

/**
 * Throws DatabaseUnusable if the statements of a connection run in several sessions: locks, prepared statements and
 * notifications belong to a session.
 */
export async function checkPooling(parameters: ClientConfig): Promise<void> {
  const first = new pg.Client(parameters)
  const others = [new pg.Client(parameters), new pg.Client(parameters)]
  const all = [first, ...others]
  for (const client of all) client.on('error', () => undefined)
  const mark = randomUUID()
  try {
    await Promise.all(all.map((client) => client.connect()))
    await first.query(`select set_config('purlin.session', $1, false)`, [mark])
    // A pooler gives a session that has just become free to the next transaction, which then keeps it from the first.
    for (const other of others) {
      await other.query('begin')
      if ((await markOf(other)) === mark) throw new DatabaseUnusable(shared)
    }
    if ((await markOf(first)) !== mark) throw new DatabaseUnusable(shared)
  } finally {
    await Promise.all(all.map((client) => client.end().catch(() => undefined)))
  }
}

async function markOf(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ mark: string | null }>(
    `select current_setting('purlin.session', true) as mark`,
  )
  return rows[0]?.mark ?? null
}
