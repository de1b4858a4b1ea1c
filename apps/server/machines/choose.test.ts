import { mkdirSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { newFolder } from '../testing/children.ts'
import { chooseMachines, folderOfMachines, type Surroundings } from './choose.ts'

const [empty, used] = [newFolder(), newFolder()]
afterAll(() => [empty, used].forEach((one) => one.remove()))

const choose = (
  has: { kvm?: boolean; qemu?: boolean; simulated?: boolean; inside?: boolean; real?: boolean },
  config: Partial<Parameters<typeof chooseMachines>[0]> = {},
) => {
  const around: Surroundings = {
    hasKvm: async () => has.kvm ?? true,
    hasQemu: () => has.qemu ?? true,
    hasSimulated: async () => has.simulated ?? false,
    hasInside: async () => has.inside ?? false,
    hasReal: async () => has.real ?? false,
  }
  return chooseMachines({ machines: 'auto', demo: false, dataDir: empty.path, ...config }, around)
}
const simulated = (why: string) => ({ driver: 'simulated', note: expect.stringContaining(why) as string })

it('instances are real where the processor runs guests, and the note says why they are not', async () => {
  expect(await choose({})).toEqual({ driver: 'qemu' })
  expect(await choose({ kvm: false })).toEqual(simulated('KVM (/dev/kvm) cannot be used'))
  expect(await choose({ qemu: false })).toEqual(simulated('Install qemu-system-x86'))
  expect(await choose({}, { demo: true })).toEqual(simulated('demo'))
  expect(await choose({}, { machines: 'simulated' })).toEqual(simulated('no guest boots'))
  expect(await choose({ kvm: false }, { machines: 'qemu' })).toEqual({ driver: 'qemu' })
})

it('the instances of a data folder are not given to another driver', async () => {
  expect(await choose({ simulated: true })).toEqual(simulated('were before'))
  mkdirSync(folderOfMachines(used.path))
  expect(await choose({ simulated: true }, { dataDir: used.path })).toEqual({ driver: 'qemu' })
  await expect(choose({ kvm: false }, { dataDir: used.path })).rejects.toThrow(
    '--machines qemu emulates them',
  )
})

it('a server that cannot run guests has no host in a fleet of real ones, unless it is asked for', async () => {
  const none = (why: string) => ({ driver: 'none', note: expect.stringContaining(why) as string })
  expect(await choose({ kvm: false, real: true })).toEqual(none('here KVM (/dev/kvm) cannot be used'))
  expect(await choose({ qemu: false, real: true })).toEqual(none('Install qemu-system-x86'))
  expect(await choose({ kvm: false, real: true, simulated: true })).toEqual(simulated('were before'))
  expect(await choose({ kvm: false, real: true }, { machines: 'simulated' })).toEqual(simulated('no guest'))
  expect(await choose({ real: true })).toEqual({ driver: 'qemu' })
})

it('a server without a host says so, and what becomes of instances inside of others', async () => {
  mkdirSync(folderOfMachines(used.path), { recursive: true })
  const none = { machines: 'none', dataDir: used.path } as const
  expect(await choose({}, none)).toEqual({
    driver: 'none',
    note: 'This server has no host: instances run on hosts that have joined.',
  })
  const among = await choose({ inside: true, simulated: true }, none)
  expect(among).toMatchObject({ driver: 'none' })
  expect('note' in among && among.note).toContain('inside of another server wait for that server')
})
