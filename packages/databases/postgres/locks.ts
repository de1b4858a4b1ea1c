/** Advisory locks of PostgreSQL, which belong to a session and end with it. */
import type { ClientBase } from 'pg'

// Two numbers name a lock: its purpose, and the schema of the tables.
const kind = "hashtext('purlin ' || $1)"
const scope = `hashtext(coalesce(current_schema(), ''))`

/** Waits until no other session has the lock. */
export async function waitForLock(client: ClientBase, name: string): Promise<void> {
  await client.query(`select pg_advisory_lock(${kind}, ${scope})`, [name])
}

/** The holder of a lock that was refused. */
export interface Holder {
  /** in words, for people */
  who: string
  /** False for a session of this server from before an outage, which the database has not ended yet. */
  isOther: boolean
}

/** Takes a lock as long as the session lasts, once. Null, or the name of the holder. */
export async function takeLock(client: ClientBase, name: string): Promise<Holder | null> {
  for (let tries = 0; ; tries++) {
    const taken = await client.query<{ ok: boolean; own: string }>(
      `select pg_try_advisory_lock(${kind}, ${scope}) as ok, current_setting('application_name') as own`,
      [name],
    )
    const [mine] = taken.rows
    if (mine?.ok) return null
    const session = await sessionWith(client, name)
    const isOwn = session !== undefined && session.name === mine?.own
    if (isOwn && tries < 5) await client.query('select pg_terminate_backend($1, 200)', [session.pid])
    else if (isOwn)
      return { who: `the former session of this server, process ${session.pid}`, isOther: false }
    else if (session)
      return {
        who: `${session.name}, connected from ${session.address ?? 'the same machine'}`,
        isOther: true,
      }
    else if (tries >= 5) return { who: 'an unknown session', isOther: false }
  }
}

interface Session {
  pid: number
  name: string
  address: string | null
}

async function sessionWith(client: ClientBase, name: string): Promise<Session | undefined> {
  const { rows } = await client.query<Session>(
    `with wanted as (select ${kind} as kind, ${scope} as scope)
     select a.pid, a.application_name as name, host(a.client_addr) as address
     from pg_locks l join pg_stat_activity a on a.pid = l.pid cross join wanted
     where l.locktype = 'advisory' and l.granted and l.pid <> pg_backend_pid()
       and l.database = (select oid from pg_database where datname = current_database())
       and l.classid = (wanted.kind::bigint & 4294967295)::oid and l.objid = (wanted.scope::bigint & 4294967295)::oid`,
    [name],
  )
  return rows[0]
}
