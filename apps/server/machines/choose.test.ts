import { mkdirSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { newFolder } from '../testing/children.ts'
import { chooseMachines, folderOfMachines, type Surroundings } from './choose.ts'

const [empty, used] = [newFolder(), newFolder()]
afterAll(() => [empty, used].forEach((one) => one.remove()))

const choose = (
  has: { kvm?: boolean; qemu?: boolean; simulated?: boolean },
  config: Partial<Parameters<typeof chooseMachines>[0]> = {},
) => {
  const around: Surroundings = {
    hasKvm: async () => has.kvm ?? true,
    hasQemu: () => has.qemu ?? true,
    hasSimulated: async () => has.simulated ?? false,
  }
  return chooseMachines({ machines: 'auto', demo: false, dataDir: empty.path, ...config }, around)
}
const simulated = (why: string) => ({ areReal: false, note: expect.stringContaining(why) as string })

it('instances are real where the processor runs guests, and the note says why they are not', async () => {
  expect(await choose({})).toEqual({ areReal: true })
  expect(await choose({ kvm: false })).toEqual(simulated('KVM (/dev/kvm) cannot be used'))
  expect(await choose({ qemu: false })).toEqual(simulated('Install qemu-system-x86'))
  expect(await choose({}, { demo: true })).toEqual(simulated('demo'))
  expect(await choose({}, { machines: 'simulated' })).toEqual(simulated('no guest boots'))
  expect(await choose({ kvm: false }, { machines: 'qemu' })).toEqual({ areReal: true })
})

it('the instances of a data folder are not given to another driver', async () => {
  expect(await choose({ simulated: true })).toEqual(simulated('were before'))
  mkdirSync(folderOfMachines(used.path))
  expect(await choose({ simulated: true }, { dataDir: used.path })).toEqual({ areReal: true })
  await expect(choose({ kvm: false }, { dataDir: used.path })).rejects.toThrow(
    '--machines qemu emulates them',
  )
})
