import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { killAll, newFolder } from '../testing/children.ts'
import { findPostgres, psql, startPostgres, type Postgres } from '../testing/postgres.ts'
import { runProgram, serve, type Program, type ServerProcess } from '../testing/process.ts'
import { ask } from '../testing/requests.ts'

describe.skipIf(!findPostgres())('the session with the lock of a server', () => {
  let database: Postgres
  let server: ServerProcess
  const folder = newFolder().path
  beforeAll(async () => {
    database = await startPostgres()
    server = await serve({ databaseUrl: database.url, folder })
  })
  afterAll(async () => {
    killAll()
    await database.stop()
  })

  /** The process of the database that has the lock. */
  const holder = async () =>
    Number(
      (await psql(database.url, `select pid from pg_locks where locktype = 'advisory' and granted`)).at(0),
    )
  const said = (program: Program, text: string) => program.lines().filter((line) => line.includes(text))

  it('does not end the server if the database does not end it: the server stays away until it is gone', async () => {
    const pid = await holder()
    process.kill(pid, 'SIGSTOP')
    await expect.poll(() => said(server, 'waiting for the database to end a session')).toHaveLength(1)
    expect(said(server, 'waiting for')[0]).toContain(`the former session of this server, process ${pid}`)
    const answer = await ask(server.url, '/v1/projects', { headers: { cookie: 'session=none' } })
    expect([answer.status, answer.text]).toEqual([
      503,
      expect.stringContaining('the database does not answer'),
    ])
    process.kill(pid, 'SIGCONT')
    await expect.poll(() => said(server, 'the database is back')).toHaveLength(1)
    expect(await holder()).not.toBe(pid)
    expect(said(server, 'this server ends')).toEqual([])
  })

  it('makes the next start wait, which begins once it is gone', async () => {
    const pid = await holder()
    process.kill(pid, 'SIGSTOP')
    server.signal('SIGKILL')
    await server.ended
    const next = runProgram({ args: ['--port', '0', '--data-dir', folder, '--database-url', database.url] })
    await expect.poll(() => said(next, 'waiting for the server that runs the instances')).toHaveLength(1)
    process.kill(pid, 'SIGCONT')
    await expect.poll(next.said).toContain('ready at')
    await next.stop()
  })
})
