import { AsyncLocalStorage } from 'node:async_hooks'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Engine } from '#/db/engine.ts'
import { openTestEngine } from '#/testing/engines.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
/** Runs after a password was verified, and before its session is stored. */
let interruption: (() => Promise<unknown>) | undefined
let running: Promise<unknown> | undefined
const isWithin = new AsyncLocalStorage<true>()
beforeEach(async () => {
  interruption = undefined
  running = undefined
  w = await openWorld({ engine: overtaken(await openTestEngine()) })
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

function overtaken(engine: Engine): Engine {
  const transaction: Engine['transaction'] = async (mode, work, reads) => {
    // Entries of the audit log are appended at any time, also while the password is verified: these begin the
    // interruption too, and all writes but its own wait for its end.
    if (mode === 'write' && !isWithin.getStore()) {
      const begin = interruption
      interruption = undefined
      if (begin) running = isWithin.run(true, begin)
      await running
    }
    return engine.transaction(mode, work, reads)
  }
  return { ...engine, transaction }
}

const query = { silo: 'acme' }
const password = (value: string) => ({ mode: 'password', value }) as const

it.each(['a new password', 'being deactivated', 'a required second factor'])(
  'a sign-in that was overtaken by %s gives no session',
  async (what) => {
    const admin = w.as('admin')
    const { id: userId } = await admin.localIdpUserCreate({
      query,
      body: { externalId: 'zoe', password: password('correct horse battery') },
    })
    const signIn = () =>
      w.raw({
        method: 'POST',
        url: '/v1/login/acme/local',
        body: JSON.stringify({ username: 'zoe', password: 'correct horse battery' }),
      })
    expect((await signIn()).status).toBe(204)
    const params = { userId }
    const changes: Record<string, () => Promise<unknown>> = {
      'a new password': () =>
        admin.localIdpUserSetPassword({ params, query, body: password('another horse battery') }),
      'being deactivated': () => admin.localIdpUserDeactivate({ params, query }),
      'a required second factor': () =>
        admin.authSettingsUpdate({ body: { deviceTokenMaxTtlSeconds: null, secondFactorRequired: true } }),
    }
    interruption = changes[what]
    expect(await signIn()).toMatchObject({ status: 401, cookies: [] })
    expect(interruption).toBeUndefined()
  },
)
