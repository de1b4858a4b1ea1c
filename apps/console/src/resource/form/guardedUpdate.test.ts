import {
  antiAffinityGroupCreate,
  antiAffinityGroupUpdate,
  antiAffinityGroupView,
} from '@purlin/contract/operations/instances/affinity-groups'
import { describe, expect, it } from 'vitest'
import { send } from '#/api/send.ts'
import { openControlPlane } from '#/preview/testing.ts'
import { updateIfAsSeen } from './guardedUpdate.tsx'

const query = { project: 'demo' }
const args = { params: { antiAffinityGroup: 'web' }, query }
const target = { view: antiAffinityGroupView, update: antiAffinityGroupUpdate, args }

/** A control plane with one group, and requests of another user on it. */
async function setUp() {
  const plane = await openControlPlane()
  const body = { name: 'web', description: 'old', policy: 'allow', failureDomain: 'sled' } as const
  await send(antiAffinityGroupCreate, { query, body })
  const other = plane.world.as('projectAdmin')
  return {
    ...plane,
    writeAsOther: (description: string) =>
      other.antiAffinityGroupUpdate({ ...args, body: { description } }).then(() => undefined),
    stored: () => other.antiAffinityGroupView(args),
  }
}
const save = () =>
  updateIfAsSeen(target, {
    valuesOf: ({ description }) => ({ description }),
    seen: { description: 'old' },
    body: { description: 'mine' },
  })

describe('an edit form', () => {
  it('saves values that no other user has changed', async () => {
    const { stored } = await setUp()
    await save()
    expect(await stored()).toMatchObject({ description: 'mine' })
  })
  it('does not overwrite the values of another user, and shows them', async () => {
    const { writeAsOther, stored } = await setUp()
    await writeAsOther('theirs')
    await expect(save()).rejects.toMatchObject({ current: { description: 'theirs' } })
    expect(await stored()).toMatchObject({ description: 'theirs' })
  })
  it('does not overwrite values that change between its own read and write', async () => {
    const { before, writeAsOther, stored } = await setUp()
    let isFirst = true
    before(async (call) => {
      if (!call.startsWith('PUT') || !isFirst) return
      isFirst = false
      await writeAsOther('theirs')
    })
    await expect(save()).rejects.toMatchObject({ current: { description: 'theirs' } })
    expect(await stored()).toMatchObject({ description: 'theirs' })
  })
})
