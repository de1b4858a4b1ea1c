/** A world for tests of new instances, parts of the requests, and the errors they get. */
import { GiB } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, expect } from 'vitest'
import { instancesOf, swift, type NewInstance } from './machines.ts'
import { disorder, rejectsIn } from './state.ts'
import { openWorld, type TestWorld } from './world.ts'

const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g'

/** A world for each test, which is checked at its end, and requests of its collaborator. */
export function newInstances() {
  let world: TestWorld
  let vm: ReturnType<typeof instancesOf>
  beforeEach(async () => {
    world = await openWorld({ timings: swift })
    vm = instancesOf(world)
  })
  afterEach(async () => {
    expect(world.errors).toEqual([])
    expect(await disorder(world)).toEqual([])
    await world.close()
  })
  const rejects = rejectsIn(() => world)
  return {
    /** The world of the running test. */
    opened: () => ({ w: world, vm }),
    addKey: (name: string, who: 'projectCollaborator' | 'admin' = 'projectCollaborator') =>
      world.as(who).currentUserSshKeyCreate({ body: { name, description: '', publicKey } }),
    post: (body: unknown) =>
      world.raw({
        method: 'POST',
        url: '/v1/instances?project=demo',
        who: 'projectCollaborator',
        body: JSON.stringify(body),
      }),
    /** Expects an error, and that every row of every table is as it was. */
    rejected: (more: Partial<NewInstance>, reason: object) => rejects(() => vm.create('web', more), reason),
  }
}

/** The smallest request that the API takes. */
export const least = { name: 'web', description: '', ncpus: 1, memory: GiB, hostname: 'web' }
export const newDisk = (name: string, size = GiB) => ({
  type: 'create' as const,
  name,
  description: '',
  size,
  diskSource: { type: 'blank' as const, blockSize: 512 as const },
})
export const nic = (name: string, subnetName = 'default', vpcName = 'default') => ({
  name,
  description: '',
  vpcName,
  subnetName,
})
export const many = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))
export const invalid = (message: string) => ({ status: 400, code: 'InvalidRequest', message })
export const badSize = (reason: string) => ({
  status: 400,
  code: 'InvalidValue',
  message: `unsupported value for "size": ${reason}`,
})
