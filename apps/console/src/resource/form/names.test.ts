import { limits } from '@purlin/contract/rules/limits'
import { describe, expect, it } from 'vitest'
import { load, queryClient } from '#/api/query.ts'
import { ApiError } from '#/api/send.ts'
import { openControlPlane } from '#/preview/testing.ts'
import { kinds } from '../kinds.ts'
import { nameQuery } from './names.ts'

const unknown = (i: number) => `7f3c2a10-0000-4000-8000-${String(i).padStart(12, '0')}`

/** A control plane with a disk and a VPC, and the addresses that are called. */
async function planeWithDisk() {
  queryClient.clear()
  const plane = await openControlPlane()
  const client = plane.world.as('projectCollaborator')
  const disk = await client.diskCreate({
    query: { project: 'demo' },
    body: {
      name: 'data',
      description: '',
      size: 2 ** 30,
      diskSource: { type: 'blank', blockSize: 512 },
    },
  })
  const vpc = await client.vpcView({ params: { vpc: 'default' }, query: { project: 'demo' } })
  return { plane, disk, vpc }
}

describe('names', () => {
  it('of several kinds are requested together, each once', async () => {
    const { plane, disk, vpc } = await planeWithDisk()
    const found = await Promise.all([
      load(nameQuery(kinds.disk, disk.id)),
      load(nameQuery(kinds.disk, disk.id)),
      load(nameQuery(kinds.vpc, vpc.id)),
      load(nameQuery(kinds.disk, unknown(0))),
    ])
    expect(found.map((one) => one?.name)).toEqual(['data', 'data', 'default', undefined])
    expect(found[0]).toEqual({ id: disk.id, name: 'data', project: 'demo' })
    expect(found[3]).toBeNull()
    expect(plane.urls).toEqual([`/v1/names?id=${disk.id}&id=${vpc.id}&id=${unknown(0)}&kind=disk&kind=vpc`])
    await load({ ...nameQuery(kinds.disk, disk.id), staleTime: 1000 })
    expect(plane.urls).toHaveLength(1)
  })

  it('beyond the limit of a request are requested in several', async () => {
    const { plane } = await planeWithDisk()
    const ids = Array.from({ length: limits.names + 1 }, (_, i) => unknown(i))
    expect(await Promise.all(ids.map((id) => load(nameQuery(kinds.disk, id))))).toEqual(ids.map(() => null))
    expect(plane.urls).toHaveLength(2)
  })

  it('that cannot be read fail each', async () => {
    const { plane, disk } = await planeWithDisk()
    plane.before(() => {
      throw new ApiError('nameList', 503, { message: 'later' })
    })
    await expect(load(nameQuery(kinds.disk, disk.id))).rejects.toThrow('later')
  })

  it('are read one by one from a server without the operation', async () => {
    const { plane, disk } = await planeWithDisk()
    plane.before((call) => {
      if (call === 'GET /v1/names') throw new ApiError(call, 404, { message: 'not found' })
    })
    const read = () =>
      Promise.all([load(nameQuery(kinds.disk, disk.id)), load(nameQuery(kinds.disk, unknown(0)))])
    expect(await read()).toEqual([{ id: disk.id, name: 'data', project: 'demo' }, null])
    queryClient.clear()
    expect(await read()).toMatchObject([{ name: 'data' }, null])
    expect(plane.calls.filter((call) => call === 'GET /v1/names')).toHaveLength(1)
  })
})
