import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createControlPlane, firstStart } from '@purlin/core'
import type { Engine } from '@purlin/core/ports'
import { cheapPasswords } from '@purlin/core/testing/world'
import { createMemoryBlobs } from '@purlin/databases/blobs-in-memory'
import { openSqlite } from '@purlin/databases/sqlite-node'
import { createSimulatedSleds } from '@purlin/sleds/sim'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { logTo } from '../process/log.ts'
import { systemClock, systemIds, systemSha256 } from '../process/ports.ts'
import { main } from './verify-audit.ts'

let folder: string
let engine: Engine
const said: string[] = []
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'purlin-audit-'))
  said.length = 0
  for (const method of ['log', 'error'] as const)
    vi.spyOn(console, method).mockImplementation((text: string) => void said.push(text))
  engine = openSqlite(join(folder, 'purlin.db'))
  const plane = await createControlPlane({
    engine,
    clock: systemClock,
    ids: systemIds,
    passwords: cheapPasswords,
    sleds: createSimulatedSleds({ clock: systemClock }),
    blobs: createMemoryBlobs(),
    sha256: systemSha256,
    log: logTo({ write: () => undefined }, 'silent'),
    sessions: { idleMs: 60_000, absoluteMs: 60_000 },
  })
  await firstStart(plane.world, { silo: 'main', user: 'admin', password: 'a-long-password' })
  for (const password of ['wrong', 'a-long-password']) {
    await plane.dispatch({
      method: 'POST',
      url: '/v1/login/main/local',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password }),
    })
    plane.loops.wake('audit')
    await plane.loops.settled()
  }
  await vi.waitFor(async () => {
    const left = await engine.transaction('read', (tx) =>
      tx.selectFrom('auditPending').select('id').execute(),
    )
    expect(left).toEqual([])
  }, 60_000)
  await plane.loops.stop()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await engine.close()
  rmSync(folder, { recursive: true })
})

const verify = (...more: string[]) => main(['--data-dir', folder, ...more])

it('counts the entries of an unbroken log while its server runs, and recognises an earlier hash', async () => {
  expect(await verify()).toBe(0)
  expect(said[0]).toMatch(
    /^The audit log is unbroken: 2 entries, from \S+ to \S+\.\nIts last hash is [0-9a-f]{64}$/,
  )
  const head = said[0]?.slice(-64) ?? ''
  expect(await verify('--head', head)).toBe(0)
  expect(await verify(`--head=${'0'.repeat(63)}1`)).toBe(1)
  expect(said.at(-1)).toMatch(/no entry has the given hash\.$/)
})

it('finds an entry that was changed', async () => {
  await engine.transaction('write', (tx) =>
    tx.updateTable('auditEntry').set({ sourceIp: '192.0.2.1' }).execute(),
  )
  expect(await verify()).toBe(1)
  expect(said[0]).toMatch(/^The audit log is broken after 0 entries: entry \S+ was changed/)
})

it('names invalid flags', async () => {
  expect(await verify('--head', 'short')).toBe(2)
  expect(await verify('--colour')).toBe(2)
  expect(await main(['--data-dir', join(folder, 'nothing')])).toBe(1)
  expect(said.at(-1)).toMatch(/^purlin: /)
})
