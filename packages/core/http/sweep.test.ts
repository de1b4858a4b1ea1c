import type { Allow, OpShape } from '@purlin/contract/op'
import { operations, type OperationName } from '@purlin/contract/operations'
import fc from '#/testing/properties.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { inDb } from '#/testing/networks.ts'
import { anyRequest, createFixtures, plausible } from '#/testing/requests.ts'
import { dump } from '#/testing/state.ts'
import { openWorld, type RawRequest, type RawResponse, type TestWorld, type Who } from '#/testing/world.ts'

/** Callers with few rights, and the `allow` values that apply to them for the requests made here. */
const callers = {
  anonymous: ['public'],
  nobody: ['public', 'user'],
  // An admin of another silo: allowed everything there, nothing in ours.
  stranger: ['public', 'user', 'silo.viewer', 'silo.collaborator', 'silo.admin'],
  projectViewer: ['public', 'user', 'project.viewer'],
} satisfies Record<string, Allow[]>
type Caller = keyof typeof callers
const names = Object.keys(operations) as OperationName[]
const everyCaller = Object.keys(callers) as Caller[]

/** Operations whose answer differs from `allow`, and why. The list may only shrink. */
const exempt: Partial<Record<OperationName, Partial<Record<Caller, number[]>>>> = {
  // Any user may ask, but a user without any role gets 403 instead of an empty list.
  projectList: { nobody: [403] },
  // Without a project it lists the images that all users of the caller's own silo share.
  imageList: { nobody: [404, 200], stranger: [404, 200] },
  // Without a project it is about the caller's own silo.
  siloMetric: { nobody: [404, 200], stranger: [404, 200] },
  // Our silo, its users, groups and pools do not exist for another.
  userView: { stranger: [404] },
  groupView: { stranger: [404] },
  projectIpPoolView: { stranger: [404] },
  siloView: { stranger: [404] },
  // Its own silo's policy may not name users of ours.
  policyUpdate: { stranger: [400] },
  // Without a project an image is made for the silo, of a snapshot that is in ours.
  imageCreate: { nobody: [404, 403] },
  // It needs a role on the silo, but a caller that cannot see the image gets 404; a name is looked up in the silo.
  imagePromote: { nobody: [404], stranger: [404] },
  imageDemote: { nobody: [404], stranger: [404], projectViewer: [404, 403] },
  // None of them owns this key.
  currentUserSshKeyView: { nobody: [404], stranger: [404], projectViewer: [404] },
  currentUserSshKeyDelete: { nobody: [404], stranger: [404], projectViewer: [404] },
  // A stream is opened through a WebSocket; a plain request fails for that before anything else is checked.
  instanceSerialConsoleStream: { anonymous: [400], nobody: [400], stranger: [400], projectViewer: [400] },
  // Allowed, and then fails for another reason: the instance is stopped, and no range was given.
  instanceSerialConsole: { nobody: [400], stranger: [400], projectViewer: [400] },
}

let w: TestWorld
beforeAll(async () => {
  w = await openWorld()
  await createFixtures(w)
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  // A stranger would be admin of a project it created, so its projects are deleted.
  await inDb(w, (tx) =>
    tx
      .deleteFrom('project')
      .where('siloId', '=', w.ids['other'] ?? '')
      .execute(),
  )
})
afterAll(() => w.close())

function ask(caller: Caller, request: RawRequest): Promise<RawResponse> {
  // Signing in or out ends the caller's session, which the rest of the sweep needs, so these bring one that has ended.
  if (/^\/v1\/log(?:in|out)/.test(request.url))
    return w.raw({ ...request, headers: { cookie: `session=${caller}` } })
  return w.raw(caller === 'anonymous' ? request : { ...request, who: caller satisfies Who })
}
const may = (caller: Caller, { allow }: OpShape) => {
  const words = typeof allow === 'string' ? [allow] : allow
  return words.some((word) => (callers[caller] as Allow[]).includes(word))
}
const isSuccess = (status: number) => status >= 200 && status < 300

/** The status for a caller without permission. */
function deniedStatus(caller: Caller, { allow, path }: OpShape): number {
  if (caller === 'anonymous') return 401
  // Pools and silos of the fleet do not exist for those who may not read the fleet.
  if (/^\/v1\/system\/(ip-pools[-/]|silos\/)/.test(path)) return 404
  const isOfProject = (typeof allow === 'string' ? [allow] : allow).some((word) =>
    word.startsWith('project.'),
  )
  return isOfProject && caller !== 'projectViewer' ? 404 : 403
}

/** All rows that have to do with our silo or its project. */
async function ours(): Promise<string[]> {
  const { session: _session, sshKey: _keys, ...rest } = await dump(w)
  const ids = ['acme', 'demo', 'web', 'data', 'yesterday', 'default', 'subnet'].map((key) => w.ids[key] ?? '')
  return Object.entries(rest).flatMap(([table, rows]) =>
    rows.filter((row) => ids.some((id) => row.includes(id))).map((row) => `${table} ${row}`),
  )
}

it('every exemption is of an operation that exists', () => {
  for (const name of Object.keys(exempt)) expect(names).toContain(name)
})

describe.each(everyCaller)('a plausible request of %s', (caller) => {
  it.each(names)('%s', async (name) => {
    const op: OpShape = operations[name]
    const before = await ours()
    for (const by of ['name', 'id'] as const) {
      const request = plausible(w, name, by)
      const { status, text } = await ask(caller, request)
      const what = `${caller} ${request.method} ${request.url}: ${status} ${text}`
      const exempted = exempt[name]?.[caller]
      if (exempted) expect(exempted, what).toContain(status)
      else if (may(caller, op)) expect(isSuccess(status), what).toBe(true)
      else expect(status, what).toBe(deniedStatus(caller, op))
      // Any change to rows that are not theirs would show here.
      if (by === 'name' && op.method === 'POST' && isSuccess(status)) break
    }
    expect(await ours()).toEqual(before)
  })
})

describe.each(everyCaller)('any request of %s', (caller) => {
  it.each(names)('%s', async (name) => {
    const op: OpShape = operations[name]
    const before = await ours()
    const request = anyRequest(name, w.ids)
    const property = fc.asyncProperty(request, async (one) => {
      const { status, text } = await ask(caller, one)
      const what = `${JSON.stringify(one)}: ${status} ${text}`
      expect(status, what).toBeLessThan(500)
      const mayNot = !may(caller, op) && !exempt[name]?.[caller]?.includes(200)
      if (mayNot) expect([400, 401, 403, 404], what).toContain(status)
    })
    await fc.assert(property, { numRuns: 12 })
    expect(await ours()).toEqual(before)
  })
})
