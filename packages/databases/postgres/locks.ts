/** Advisory locks of PostgreSQL, which belong to a session and end with it. */
import type { ClientBase } from 'pg'

// Two numbers name a lock: its purpose, and the schema of the tables.
const kind = "hashtext('purlin ' || $1)"
const scope = `hashtext(coalesce(current_schema(), ''))`

/** Waits until no other session has the lock. */
export async function waitForLock(client: ClientBase, name: string): Promise<void> {
  await client.query(`select pg_advisory_lock(${kind}, ${scope})`, [name])
}

/** Shares a lock as long as the session lasts. False while another session has it for itself. */
export async function shareLock(client: ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query<{ ok: boolean }>(
    `select pg_try_advisory_lock_shared(${kind}, ${scope}) as ok`,
    [name],
  )
  return rows[0]?.ok === true
}
