import { createClient } from '@purlin/contract/client'
import { operations } from '@purlin/contract/operations'
import { createControlPlane } from '@purlin/core'
import { demoUsers, moveDemo } from '@purlin/core/seed'
import { openWasm } from '@purlin/databases/sqlite-wasm'
import { expect, it } from 'vitest'
import { makeDemo } from './demo.ts'
import { openWorld } from './world.ts'

const dayMs = 24 * 3_600_000

it('the database of the build has the demo, made just now, whose users can sign in', async () => {
  const now = Date.now() + 100 * dayMs
  const clock = { now: () => now, after: () => () => undefined }
  const engine = await openWasm(await makeDemo())
  await engine.transaction('write', (tx) => moveDemo(tx, now))
  // The schema is part of what the build has made.
  engine.withMigrationConnection = () => Promise.reject(new Error('the page runs migrations'))
  const plane = await createControlPlane(openWorld({ engine, clock, readsCertificates: true }))
  const [first] = demoUsers
  if (!first) throw new Error('the demo has no users')
  const { silo, user, password } = first
  let cookie = ''
  const client = createClient(operations, async (request) => {
    const response = await plane.dispatch({ ...request, headers: { ...request.headers, cookie } })
    cookie = response.cookies?.[0]?.split(';')[0] ?? cookie
    return response
  })
  await client.loginLocal({ params: { siloName: silo }, body: { username: user, password } })
  const { items } = await client.instanceList({ query: { project: 'telemetry' } })
  expect(items.length).toBeGreaterThan(5)
  for (const { timeCreated } of items) expect(now - timeCreated.getTime()).toBeLessThan(dayMs)
  expect((await client.certificateList({ query: {} })).items.length).toBe(2)
  await plane.close()
})
