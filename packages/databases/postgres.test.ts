import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  DatabaseUnavailable,
  DatabaseUnusable,
  missedMessages,
  OutcomeUnknown,
  type Tx,
} from '@purlin/core/ports'
import { startDistance } from '@purlin/core/testing/distance'
import { openPostgres, type DatabaseEvent, type PostgresEngine } from './postgres.ts'

const address = process.env['PURLIN_TEST_PG_URL']

describe.skipIf(!address && process.env['CI'] !== 'true')('servers on one PostgreSQL', () => {
  let admin: pg.Client
  let url: string
  let events: DatabaseEvent[]
  let engines: PostgresEngine[]

  beforeAll(async () => {
    admin = new pg.Client({ connectionString: address })
    await admin.connect()
  })
  afterAll(() => admin.end())
  beforeEach(async () => {
    const name = `t_${randomUUID().replaceAll('-', '')}`
    await admin.query(`create database ${name}`)
    url = address!.replace(/[^/]*$/, name)
    events = []
    engines = []
    await onClient((client) =>
      client.query('create table usage (id text primary key, cpus bigint, memory bigint, storage bigint)'),
    )
  })
  afterEach(async () => {
    for (const engine of engines) await engine.close()
    await admin.query(`drop database ${new URL(url).pathname.slice(1)} with (force)`)
  })

  function open(): PostgresEngine {
    const engine = openPostgres(url, (event) => events.push(event))
    engines.push(engine)
    return engine
  }
  /** A connection in addition to those of the engine. */
  async function onClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }
  const add = (id: string) => (tx: Tx) =>
    tx.insertInto('usage').values({ id, cpus: 0, memory: 0, storage: 0 }).execute()
  const increment = (id: string) => (tx: Tx) =>
    tx
      .updateTable('usage')
      .set((eb) => ({ storage: eb('storage', '+', 1) }))
      .where('id', '=', id)
      .execute()
  const storageOf = (engine: PostgresEngine, id: string) =>
    engine.transaction('read', async (tx) => {
      const row = await tx
        .selectFrom('usage')
        .select('storage')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return row.storage
    })
  /** Ends the session that runs a transaction. */
  async function endSession(tx: Tx): Promise<void> {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await admin.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid])
  }
  const endAllSessions = () =>
    admin.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [
      new URL(url).pathname.slice(1),
    ])

  it('a transaction whose session ends before its commit is run again', async () => {
    const engine = open()
    for (const mode of ['read', 'write'] as const) {
      let runs = 0
      const value = await engine.transaction(mode, async (tx) => {
        runs++
        if (mode === 'write') await add('a')(tx)
        if (runs === 1) await endSession(tx)
        await tx.selectFrom('usage').selectAll().execute()
        return runs
      })
      expect(value).toBe(2)
    }
    expect(await storageOf(engine, 'a')).toBe(0)
    expect(events).toEqual([])
  })

  it('a write whose session ends during its commit is not repeated, and says so', async () => {
    const engine = open()
    // The check at the end of the transaction takes long enough to be interrupted.
    await onClient((client) =>
      client.query(`create function slow() returns trigger as 'begin perform pg_sleep(5); return null; end' language plpgsql;
        create constraint trigger slow after insert on usage deferrable initially deferred for each row execute function slow()`),
    )
    let runs = 0
    const attempt = engine.transaction('write', async (tx) => {
      runs++
      await add('a')(tx)
    })
    const outcome = attempt.catch((error: unknown) => error)
    const committing = `select 1 from pg_stat_activity where datname = $1 and state = 'active' and query = 'commit'`
    const name = new URL(url).pathname.slice(1)
    await expect.poll(async () => (await admin.query(committing, [name])).rowCount).toBe(1)
    await endAllSessions()
    expect(await outcome).toBeInstanceOf(OutcomeUnknown)
    expect(runs).toBe(1)
  })

  it('sessions that all end at the same moment are replaced unnoticed', async () => {
    const engine = open()
    await engine.transaction('write', add('a'))
    let acknowledged = 0
    const work = async () => {
      for (let i = 0; i < 20; i++) {
        await engine.transaction('write', increment('a')).then(
          () => acknowledged++,
          (error: unknown) => expect(error).toBeInstanceOf(OutcomeUnknown),
        )
      }
    }
    const all = Promise.all(Array.from({ length: 8 }, work))
    for (let i = 0; i < 3; i++) {
      await expect.poll(() => acknowledged, { interval: 5 }).toBeGreaterThan(10 * i)
      await endAllSessions()
    }
    await all
    const stored = await storageOf(engine, 'a')
    expect(acknowledged).toBeLessThanOrEqual(stored)
    // Only inserts without a known outcome may exist without an answer.
    expect(stored).toBeLessThanOrEqual(160)
    expect(acknowledged).toBeGreaterThan(100)
  })

  it('an unreachable database is reported, and the next transaction tries again', async () => {
    const engine = openPostgres('postgres://postgres@127.0.0.1:1/none', () => undefined)
    for (let i = 0; i < 2; i++)
      await expect(engine.transaction('read', () => Promise.resolve())).rejects.toBeInstanceOf(
        DatabaseUnavailable,
      )
    await engine.close()
  })

  it('a server that is frozen in a transaction delays only transactions that need its rows, for a limited time', async () => {
    const [frozen, other] = [open(), open()]
    await frozen.transaction('write', async (tx) => {
      await add('a')(tx)
      await add('b')(tx)
    })
    let runs = 0
    const { promise: thawed, resolve: thaw } = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const stuck = frozen.transaction('write', async (tx) => {
      await increment('a')(tx)
      held.resolve()
      if (++runs === 1) await thawed
      await increment('b')(tx)
    })
    await held.promise
    const order: string[] = []
    const waits = ['a', 'b', 'a', 'b'].map(async (id) => {
      await other.transaction('write', increment(id))
      order.push(id)
    })
    await Promise.all(waits)
    expect(order).toEqual(['b', 'b', 'a', 'a'])
    thaw()
    await stuck
    expect([await storageOf(other, 'a'), await storageOf(other, 'b')]).toEqual([3, 3])
  })

  it('servers may drive hosts together, but not while one of an older version drives them all', async () => {
    const key = `hashtext('purlin rack'), hashtext(current_schema())`
    await onClient(async (older) => {
      await older.query(`select pg_advisory_lock(${key})`)
      const [first, second] = [open(), open()]
      for (const engine of [first, second]) await engine.transaction('read', () => Promise.resolve())
      expect([first.mayDrive?.(), second.mayDrive?.()]).toEqual([false, false])
      expect(events.filter(({ at }) => at === 'older')).toHaveLength(2)
      await older.query(`select pg_advisory_unlock(${key})`)
      await expect.poll(() => [first.mayDrive?.(), second.mayDrive?.()]).toEqual([true, true])
      const { rows } = await older.query<{ ok: boolean }>(`select pg_try_advisory_lock(${key}) as ok`)
      expect(rows).toEqual([{ ok: false }])
      await endAllSessions()
      await first.transaction('read', () => Promise.resolve())
      await expect.poll(() => first.mayDrive?.()).toBe(true)
    })
  })

  it('a table that an operator has locked is the reason that is given, for reads and writes', async () => {
    const engine = open()
    await engine.transaction('write', add('a'))
    await onClient(async (client) => {
      await client.query('begin; lock table usage in access exclusive mode')
      const both = [storageOf(engine, 'a'), engine.transaction('write', increment('a'))]
      const reason = new DatabaseUnusable('another session has locked a table of the database')
      for (const outcome of await Promise.allSettled(both))
        expect(outcome).toEqual({ status: 'rejected', reason })
    })
    expect(await storageOf(engine, 'a')).toBe(0)
  })

  it('every session has the time limits and settings of the engine, also those of a pooler that takes none', async () => {
    const engine = open()
    const names = [
      'statement_timeout',
      'lock_timeout',
      'idle_in_transaction_session_timeout',
      'enable_seqscan',
    ]
    const shown = (tx: Tx) =>
      Promise.all(
        names.map(async (name) => {
          const { rows } = await sql<{ value: string; source: string }>`
            select current_setting(name) as value, source from pg_settings where name = ${name}`.execute(tx)
          return rows[0]
        }),
      )
    // A pooler refuses or ignores parameters that come with the connection, whose source is the client.
    const inSession = ['15s', '600ms', '1500ms', 'off'].map((value) => ({ value, source: 'session' }))
    expect(await engine.transaction('read', shown)).toEqual(inSession)
    expect(await engine.independentTransaction('read', shown)).toEqual(inSession)
  })

  it('messages reach the other servers, not the one that sends', async () => {
    const [first, second] = [open(), open()]
    const heard: string[] = []
    first.messages.listen((message) => heard.push(`first ${message}`))
    second.messages.listen((message) => heard.push(`second ${message}`))
    for (const engine of [first, second]) await engine.transaction('read', () => Promise.resolve())
    first.messages.send('wake instances')
    await expect.poll(() => heard).toEqual(['second wake instances'])
    second.messages.send('wake samples')
    await expect.poll(() => heard).toEqual(['second wake instances', 'first wake samples'])
  })

  it('a server that was cut off looks at everything as soon as it is back, and so do the others', async () => {
    const [first, second] = [open(), open()]
    const heard = { first: 0, second: 0 }
    first.messages.listen((message) => (heard.first += Number(message === missedMessages)))
    second.messages.listen((message) => (heard.second += Number(message === missedMessages)))
    for (const engine of [first, second]) await engine.transaction('read', () => Promise.resolve())
    await admin.query(
      `select pg_terminate_backend(l.pid, 5000) from (
         select l.pid from pg_locks l join pg_database d on d.oid = l.database
         where l.locktype = 'advisory' and l.granted and d.datname = $1 limit 1) l`,
      [new URL(url).pathname.slice(1)],
    )
    await expect.poll(() => heard).toEqual({ first: 1, second: 1 })
  })

  it('a server whose connections fall silent notices, and looks at everything once they are replaced', async () => {
    let isSilent = false
    const way = await startDistance(url, () => (chunk, send) => {
      if (!isSilent) send(chunk)
    })
    const server = openPostgres(way.url, (event) => events.push(event))
    engines.push(server)
    const other = open()
    const heard = { server: 0, other: 0 }
    server.messages.listen((message) => (heard.server += Number(message === missedMessages)))
    other.messages.listen((message) => (heard.other += Number(message === missedMessages)))
    for (const engine of [server, other]) await engine.transaction('read', () => Promise.resolve())
    isSilent = true
    await expect.poll(() => events).toEqual([{ at: 'away', reason: 'it does not answer' }])
    isSilent = false
    await expect.poll(() => heard).toEqual({ server: 1, other: 1 })
    await server.transaction('write', add('a'))
    expect(events.map(({ at }) => at)).toEqual(['away', 'back'])
    engines.shift()
    await server.close()
    await way.stop()
  })

  it('messages that are sent together arrive in order, without a warning of the database client', async () => {
    const [sender, receiver] = [open(), open()]
    const heard: string[] = []
    const warnings: string[] = []
    const onWarning = ({ message }: Error) => warnings.push(message)
    process.on('warning', onWarning)
    receiver.messages.listen((message) => heard.push(message))
    for (const engine of [sender, receiver]) await engine.transaction('read', () => Promise.resolve())
    const sent = ['a', 'b', 'c', 'd']
    for (const message of sent) sender.messages.send(message)
    await expect.poll(() => heard).toEqual(sent)
    process.off('warning', onWarning)
    expect(warnings).toEqual([])
  })

  it('the clock is that of the database', async () => {
    const engine = open()
    await engine.transaction('read', () => Promise.resolve())
    const { rows } = await admin.query<{ now: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now',
    )
    expect(Math.abs(engine.now() - (rows[0]?.now ?? 0))).toBeLessThan(1_000)
  })

  it('requests wait for a connection, and are refused when none comes free', async () => {
    const engine = open()
    const { promise: done, resolve } = Promise.withResolvers<void>()
    const busy = Array.from({ length: 10 }, () =>
      engine.transaction('read', async (tx) => {
        // Statements continue, so the connection does not count as frozen.
        for (let isDone = false; !isDone;) {
          await sql`select 1`.execute(tx)
          isDone = await Promise.race([done.then(() => true), wait(100, false)])
        }
      }),
    )
    const late = Array.from({ length: 5 }, () => engine.transaction('read', () => Promise.resolve()))
    for (const one of late) await expect(one).rejects.toBeInstanceOf(DatabaseUnavailable)
    expect(events).toEqual([{ at: 'full', reason: 'all of its connections are in use' }])
    resolve()
    await Promise.all(busy)
    await engine.transaction('read', () => Promise.resolve())
  })
})
