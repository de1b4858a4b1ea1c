import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createControlPlane, firstStart, verifyAuditLog, type ControlPlane } from '@purlin/core'
import { cheapPasswords } from '@purlin/core/testing/world'
import { createMemoryBlobs } from '@purlin/databases/blobs-in-memory'
import { openSqlite } from '@purlin/databases/sqlite-node'
import { createSimulatedSleds } from '@purlin/sleds/sim'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { logTo } from '../process/log.ts'
import { createPasswords } from '../process/passwords.ts'
import { systemClock, systemIds, systemSha256 } from '../process/ports.ts'
import { main } from './recover-user.ts'

const real = createPasswords()
let folder: string
let plane: ControlPlane
const said: string[] = []
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'purlin-recover-'))
  said.length = 0
  for (const method of ['log', 'error'] as const)
    vi.spyOn(console, method).mockImplementation((text: string) => void said.push(text))
  plane = await createControlPlane({
    engine: openSqlite(join(folder, 'purlin.db')),
    clock: systemClock,
    ids: systemIds,
    passwords: { ...cheapPasswords, verify: (hash, password) => real.verify(hash, password) },
    sleds: createSimulatedSleds({ clock: systemClock }),
    blobs: createMemoryBlobs(),
    sha256: systemSha256,
    log: logTo({ write: () => undefined }, 'silent'),
    sessions: { idleMs: 60_000, absoluteMs: 60_000 },
  })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await plane.close()
  rmSync(folder, { recursive: true })
})

const recover = (silo: string, user: string) => main(['--data-dir', folder, '--silo', silo, '--user', user])
async function signIn(password: string) {
  const { status, cookies } = await plane.dispatch({
    method: 'POST',
    url: '/v1/login/main/local',
    remote: '::1',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'root', password }),
  })
  return { status, cookie: cookies?.[0]?.split(';')[0] ?? '' }
}
const get = (url: string, cookie: string) =>
  plane.dispatch({ method: 'GET', url, remote: '::1', headers: { cookie } })

it('gives an administrator a new password while a server runs, which the audit log says', async () => {
  await firstStart(plane.world, { silo: 'main', user: 'root', password: 'a lost password' })
  await plane.world.engine.transaction('write', async (tx) => {
    await tx.updateTable('siloUser').set({ timeDeactivated: 1 }).execute()
    const { id } = await tx.selectFrom('siloUser').select('id').executeTakeFirstOrThrow()
    await tx.insertInto('recoveryCode').values({ siloUserId: id, codeHash: 'of a lost factor' }).execute()
  })
  expect(await recover('main', 'root')).toBe(0)
  const password = /^ {2}(\S+)$/m.exec(said[0] ?? '')?.[1] ?? ''
  expect(password).toMatch(/^([0-9a-hjkmnp-tv-z]{5}-){3}[0-9a-hjkmnp-tv-z]{5}$/)
  expect((await signIn('a lost password')).status).toBe(401)
  const { status, cookie } = await signIn(password)
  expect(status).toBe(204)
  const log = await get('/v1/system/audit-log?start_time=2026-01-01T00:00:00Z', cookie)
  const { items } = JSON.parse(log.body ?? '') as { items: Record<string, unknown>[] }
  expect(items.find((one) => one['operation_id'] === 'local_user_recover')).toMatchObject({
    actor: { kind: 'unauthenticated' },
    silo_name: 'main',
    user_agent: 'npm run recover',
    result: { kind: 'success' },
    objects: [{ type: 'silo-user', name_after: 'root' }],
  })
  expect(log.body).not.toContain(password)
  const { problem } = await verifyAuditLog(plane.world)
  expect(problem).toBeUndefined()
  // The sessions from before have ended, and no second factor is needed.
  expect(await recover('main', 'root')).toBe(0)
  const left = await plane.world.engine.transaction('read', async (tx) => [
    ...(await tx.selectFrom('session').select('id').execute()),
    ...(await tx.selectFrom('recoveryCode').select('codeHash').execute()),
  ])
  expect(left).toEqual([])
})

it('says which silo or user is missing, and what it needs', async () => {
  await firstStart(plane.world, { silo: 'main', user: 'root', password: 'a lost password' })
  expect(await recover('other', 'root')).toBe(1)
  expect(await recover('main', 'absent')).toBe(1)
  await plane.world.engine.transaction('write', (tx) =>
    tx.updateTable('silo').set({ identityMode: 'saml_jit' }).execute(),
  )
  expect(await recover('main', 'root')).toBe(1)
  expect(await main(['--data-dir', folder])).toBe(2)
  expect(said).toEqual([
    'purlin: there is no silo "other"',
    'purlin: silo "main" has no user "absent"',
    'purlin: the users of silo "main" sign in with an identity provider',
    'purlin: give --silo and --user, and the --data-dir or --database-url of the server',
  ])
})
