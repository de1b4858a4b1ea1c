import {
  antiAffinityGroupCreate,
  antiAffinityGroupUpdate,
  antiAffinityGroupView,
} from '@purlin/contract/operations/instances/affinity-groups'
import { describe, expect, it, vi } from 'vitest'
import { openControlPlane } from '#/preview/testing.ts'
import { mergeFields, rewrite } from './rewrite.ts'
import { send } from './send.ts'

const query = { project: 'demo' }
const args = { params: { antiAffinityGroup: 'web' }, query }
const target = { view: antiAffinityGroupView, update: antiAffinityGroupUpdate, args }

/** A control plane with one group, which another user changes before each of the first `racing` writes. */
async function planeWith(racing: number) {
  const { world, calls, before } = await openControlPlane()
  const other = world.as('projectAdmin')
  const body = { name: 'web', description: 'old', policy: 'allow', failureDomain: 'sled' } as const
  await send(antiAffinityGroupCreate, { query, body })
  let changes = 0
  before(async (call) => {
    if (!call.startsWith('PUT') || changes === racing) return
    changes += 1
    await other.antiAffinityGroupUpdate({ ...args, body: { description: `theirs ${changes}` } })
  })
  return {
    stored: () => other.antiAffinityGroupView(args),
    methods: () => calls.slice(1).map((call) => call.split(' ')[0]),
  }
}
const attempt = (change = () => ({ description: 'mine' })) => rewrite(target, change)

describe('rewrite', () => {
  it('writes on condition that the resource has not changed since it was read', async () => {
    const { methods, stored } = await planeWith(0)
    await attempt()
    expect(methods()).toEqual(['GET', 'PUT'])
    expect(await stored()).toMatchObject({ description: 'mine' })
  })
  it('applies the change again after a concurrent write', async () => {
    const { methods, stored } = await planeWith(2)
    const change = vi.fn(() => ({ description: 'mine' }))
    await attempt(change)
    expect(methods()).toEqual(['GET', 'PUT', 'GET', 'PUT', 'GET', 'PUT'])
    expect(change).toHaveBeenCalledTimes(3)
    expect(await stored()).toMatchObject({ description: 'mine' })
  })
  it('fails after repeated concurrent writes', async () => {
    const { methods, stored } = await planeWith(Infinity)
    await expect(attempt()).rejects.toMatchObject({ status: 412 })
    expect(methods()).toHaveLength(10)
    expect(console.error).toHaveBeenCalledTimes(1)
    expect(await stored()).toMatchObject({ description: 'theirs 5' })
  })
  it('writes nothing if the change throws', async () => {
    const { methods } = await planeWith(0)
    const no = () => {
      throw new Error('no')
    }
    await expect(attempt(no)).rejects.toThrow('no')
    expect(methods()).toEqual(['GET'])
  })
})

describe('mergeFields', () => {
  const seen = { a: [1], b: 1, c: 1 }
  it('keeps what others changed and takes what is wanted', () => {
    const { merged, clashes } = mergeFields({ seen, wanted: { ...seen, a: [2] }, now: { ...seen, b: 2 } })
    expect(merged).toEqual({ a: [2], b: 2, c: 1 })
    expect(clashes).toEqual([])
  })
  it('names the fields that both changed, unless to the same value', () => {
    const { clashes } = mergeFields({ seen, wanted: { a: [2], b: 2, c: 3 }, now: { a: [3], b: 2, c: 2 } })
    expect(clashes).toEqual(['a', 'c'])
  })
})
