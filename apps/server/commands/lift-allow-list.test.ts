import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createControlPlane } from '@purlin/core'
import { cheapPasswords } from '@purlin/core/testing/world'
import { createMemoryBlobs } from '@purlin/databases/blobs-in-memory'
import { openSqlite } from '@purlin/databases/sqlite-node'
import { createSimulatedSleds } from '@purlin/sleds/sim'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { main } from './lift-allow-list.ts'
import { logTo } from '../process/log.ts'
import { systemClock, systemIds, systemSha256 } from '../process/ports.ts'

let folder: string
const said: string[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'purlin-allow-'))
  said.length = 0
  for (const method of ['log', 'error'] as const)
    vi.spyOn(console, method).mockImplementation((text: string) => void said.push(text))
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

it('lifts the list while a server runs, and says what it needs without a database', async () => {
  expect(await main(['--data-dir', folder])).toBe(1)
  expect(await main(['--help'])).toBe(0)
  expect(said).toEqual([
    `purlin: there is no database ${join(folder, 'purlin.db')}: give the --data-dir of the server`,
    'Give the --data-dir or --database-url of the server, which npm start -- --help lists.',
  ])
  const engine = openSqlite(join(folder, 'purlin.db'))
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
  try {
    const allowedIps = '198.51.100.0/24'
    await engine.transaction('write', (tx) => tx.updateTable('edge').set({ allowedIps }).execute())
    await plane.allowList.read()
    expect(plane.allowList.allows('127.0.0.1')).toBe(false)
    // Two connections of one process would wait for each other: the thread of both stands still.
    await plane.loops.stop()
    expect(await main(['--data-dir', folder])).toBe(0)
    await plane.allowList.read()
    expect(plane.allowList.allows('127.0.0.1')).toBe(true)
  } finally {
    await plane.close()
  }
})
