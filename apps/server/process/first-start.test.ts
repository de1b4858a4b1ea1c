import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createControlPlane, firstStart, type ControlPlane } from '@purlin/core'
import { createMemoryBlobs } from '@purlin/databases/blobs-in-memory'
import { openTestEngine } from '@purlin/core/testing/engines'
import { cheapPasswords } from '@purlin/core/testing/world'
import { createSimulatedSleds } from '@purlin/sleds/sim'
import { logTo } from './log.ts'
import { greeting } from './main.ts'
import { systemClock, systemIds, systemSha256 } from './ports.ts'

let plane: ControlPlane
beforeEach(async () => {
  plane = await createControlPlane({
    engine: await openTestEngine(),
    clock: systemClock,
    ids: systemIds,
    passwords: cheapPasswords,
    sleds: createSimulatedSleds({ clock: systemClock }),
    blobs: createMemoryBlobs(),
    sha256: systemSha256,
    log: logTo({ write: () => undefined }, 'silent'),
    sessions: { idleMs: 60_000, absoluteMs: 60_000 },
  })
})
afterEach(() => plane.close())

const settings = { silo: 'main', user: 'admin', password: undefined }
const silos = () =>
  plane.world.engine.transaction('read', (tx) => tx.selectFrom('silo').select('name').execute())

async function signIn(username: string, password: string) {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  const body = JSON.stringify({ username, password })
  const request = {
    method: 'POST',
    url: '/v1/login/main/local',
    remote: '::1',
    headers,
    body,
  }
  const { status, cookies } = await plane.dispatch(request)
  return { status, cookie: cookies?.[0]?.split(';')[0] ?? '' }
}

describe('the first start', () => {
  it('creates an administrator with a random password and all permissions', async () => {
    const admin = await firstStart(plane.world, settings)
    expect(admin).toMatchObject({ silo: 'main', user: 'admin' })
    expect(admin?.oneTimePassword).toMatch(/^([0-9a-hjkmnp-tv-z]{5}-){3}[0-9a-hjkmnp-tv-z]{5}$/)
    const { status, cookie } = await signIn('admin', admin?.oneTimePassword ?? '')
    expect(status).toBe(204)
    const me = await plane.dispatch({ method: 'GET', url: '/v1/me', remote: '::1', headers: { cookie } })
    expect(JSON.parse(me.body ?? '')).toMatchObject({
      display_name: 'admin',
      silo_name: 'main',
      fleet_viewer: true,
      silo_admin: true,
    })
  })

  it('takes the password that was set and does not show it', async () => {
    expect(await firstStart(plane.world, { ...settings, password: 'chosen by a person' })).toMatchObject({
      oneTimePassword: null,
    })
    expect((await signIn('admin', 'chosen by a person')).status).toBe(204)
  })

  it('refuses a password that no user gets', async () => {
    const start = firstStart(plane.world, { ...settings, password: 'password1234' })
    await expect(start).rejects.toThrow('the password of the administrator is one of the common passwords')
    expect(await silos()).toEqual([])
  })

  it('happens once', async () => {
    await firstStart(plane.world, settings)
    expect(await firstStart(plane.world, { ...settings, silo: 'second' })).toBeNull()
    expect(await silos()).toEqual([{ name: 'main' }])
  })

  it('of several servers at the same moment makes one', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => firstStart(plane.world, settings)))
    expect(made.filter(Boolean)).toHaveLength(1)
    expect(await silos()).toEqual([{ name: 'main' }])
  })

  it('says where and how to sign in', () => {
    const admin = { silo: 'main', user: 'admin', oneTimePassword: 'abc' }
    const text = greeting('http://localhost:1', admin, [])
    expect(text.split('\n')).toEqual([
      'Purlin is ready at http://localhost:1',
      '',
      'This is the first start. Sign in as its administrator:',
      '  address   http://localhost:1/login/main/local',
      '  user      admin',
      '  password  abc',
      'Keep the password: it is not shown again.',
    ])
    expect(greeting('http://localhost:1', null, [])).toBe('Purlin is ready at http://localhost:1')
    const demo = [{ silo: 'd', user: 'u', password: 'p', role: 'viewer' }]
    expect(greeting('http://h', null, demo)).toContain(
      '  http://h/login/d/local  user u  password p  (viewer)',
    )
  })
})
