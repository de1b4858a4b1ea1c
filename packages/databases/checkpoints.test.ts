import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createCheckpoints, type LogState } from './checkpoints.ts'

const limits = { atLeast: 20, atMost: 200, untilRetry: 100 }
let folder: string
let db: DatabaseSync
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'purlin-checkpoints-'))
  db = new DatabaseSync(join(folder, 'test.db'))
  db.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = 0')
  db.exec('create table part (content blob)')
})
afterEach(() => rmSync(folder, { recursive: true }))

const stateOf = () => db.prepare('pragma wal_checkpoint(noop)').get() as unknown as LogState
const write = () => db.exec('insert into part values (randomblob(40000))')

it('a log under constant writes starts over without losing data', async () => {
  const checkpoints = createCheckpoints(join(folder, 'test.db'), limits)
  let longest = 0
  let waits = 0
  for (let i = 0; i < 200; i++) {
    write()
    longest = Math.max(longest, stateOf().log)
    const turn = checkpoints.consider(stateOf())
    if (turn) waits++
    await turn
    await new Promise(setImmediate)
  }
  expect(longest).toBeLessThan(limits.atMost + 50)
  expect(waits).toBeGreaterThan(4)
  expect(db.prepare('select count(*) as count from part').get()).toEqual({ count: 200 })
  expect(db.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
  const closed = checkpoints.stop()
  db.close()
  closed()
})

it('writes do not wait repeatedly for a long read', async () => {
  const checkpoints = createCheckpoints(join(folder, 'test.db'), limits)
  write()
  const reader = new DatabaseSync(join(folder, 'test.db'), { readOnly: true })
  reader.exec('begin')
  expect(reader.prepare('select count(*) as count from part').get()).toEqual({ count: 1 })
  let waits = 0
  for (let i = 0; i < 60; i++) {
    write()
    const turn = checkpoints.consider(stateOf())
    if (turn) waits++
    await turn
  }
  // 600 pages or more, of which the first 200 are none to wait for.
  expect(waits).toBeGreaterThan(2)
  expect(waits).toBeLessThan(8)
  reader.exec('commit')
  write()
  await checkpoints.consider({ log: 100_000, checkpointed: 0 })
  write()
  expect(stateOf().log).toBeLessThan(limits.atLeast)
  const closed = checkpoints.stop()
  reader.close()
  db.close()
  closed()
})
