import { operations, type OperationName } from '@purlin/contract/operations'
import fc from '#/testing/properties.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { grant } from '#/seed/rows.ts'
import { swift } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { anyRequest, createFixtures } from '#/testing/requests.ts'
import { scimClient } from '#/testing/access/role-callers.ts'
import { disorder } from '#/testing/state.ts'
import { openWorld, type RawRequest, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
let scim: Record<string, string>
const open = async () => {
  w = await openWorld({ timings: swift })
  await createFixtures(w)
  scim = await scimClient(w, w.ids['acme'] ?? '')
}
beforeAll(open)
afterEach(async () => {
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
})
afterAll(() => w.close())

// Signing out would end the session of all that follows.
const names = (Object.keys(operations) as OperationName[]).filter((name) => name !== 'logout')
// Not our fault: no room, no quota, a sled that does not answer.
const allowed = new Set([503, 507])

async function answers(request: RawRequest): Promise<number> {
  const isScim = request.url.startsWith('/scim/v2/')
  const caller = isScim ? { headers: { ...request.headers, ...scim } } : { who: 'admin' as const }
  const { status, headers, text, json } = await w.raw({ ...request, ...caller })
  const what = `${JSON.stringify(request)}: ${status} ${text}`
  expect(status < 500 || allowed.has(status), what).toBe(true)
  expect(headers['x-request-id'], what).toBeDefined()
  const envelope = { request_id: headers['x-request-id'], message: expect.any(String) as string }
  const has = (key: string) => typeof json === 'object' && json !== null && key in json
  const isOAuth = request.url.startsWith('/device/token') && has('error')
  const hasScimFormat = isScim && has('detail')
  if (status >= 400)
    expect(json, what).toMatchObject(
      hasScimFormat
        ? { status: String(status), detail: expect.any(String) as string }
        : isOAuth
          ? { error: expect.any(String) as string }
          : envelope,
    )
  return status
}

/** The caller may have taken the role away from itself. */
const regain = () =>
  inDb(w, async (tx) => {
    const assignment = {
      resourceType: 'silo' as const,
      resourceId: w.ids['acme'] ?? '',
      identityType: 'silo_user' as const,
      identityId: w.ids['admin'] ?? '',
    }
    await tx
      .deleteFrom('roleAssignment')
      .where('identityId', '=', assignment.identityId)
      .where('resourceType', '=', 'silo')
      .execute()
    await grant(tx, { ...assignment, roleName: 'admin' })
  })

describe('every request is answered, and leaves the rows consistent', () => {
  it.each(names)('%s', async (name) => {
    const property = fc.asyncProperty(anyRequest(name, w.ids), async (request) => {
      await answers(request)
    })
    await fc.assert(property, { numRuns: 60 })
    await regain()
    await w.advance(200)
  })

  it('operations in any order', async () => {
    // Restores what the tests before this one have deleted.
    await w.close()
    await open()
    const one = fc.constantFrom(...names).chain((name) => anyRequest(name, w.ids))
    const statuses = new Set<number>()
    const property = fc.asyncProperty(
      fc.array(one, { minLength: 5, maxLength: 15 }),
      fc.nat(400),
      async (requests, ms) => {
        for (const request of requests) statuses.add(await answers(request))
        await regain()
        await w.advance(ms)
      },
    )
    await fc.assert(property, { numRuns: 60 })
    // The generator must reach successes and errors of every kind.
    for (const status of [200, 201, 204, 400, 404]) expect([...statuses]).toContain(status)
  })

  it('at the same time', async () => {
    const one = fc.constantFrom(...names).chain((name) => anyRequest(name, w.ids))
    const property = fc.asyncProperty(fc.array(one, { minLength: 10, maxLength: 30 }), async (requests) => {
      await Promise.all(requests.map(answers))
      await regain()
      await w.advance(200)
    })
    await fc.assert(property, { numRuns: 25 })
  })

  it('any bytes at any path', async () => {
    const path = fc.oneof(fc.string(), fc.webPath(), fc.string({ unit: 'binary' }))
    const property = fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH'),
      path,
      fc.string(),
      async (method, at, search) => {
        await answers({ method, url: `/${at}?${search}`, body: search })
      },
    )
    await fc.assert(property, { numRuns: 300 })
  })
})
