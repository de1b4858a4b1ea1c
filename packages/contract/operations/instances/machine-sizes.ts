/** Of our own: the sizes that forms offer for instances. An instance can have any other size. */
import { op } from '#/op.ts'
import { object, optional, nullable, ref } from '#/schema.ts'
import { identity } from '#/schemas/identity.ts'
import { byNameOf, page } from '#/schemas/page.ts'
import { ByteCount } from '#/schemas/scalar.ts'
import { plainOps } from '../plain.ts'
import { InstanceCpuCount } from './instances.ts'

const tag = 'system/machine-sizes'
const size = { ncpus: InstanceCpuCount, memory: ByteCount }
const changed = { ncpus: optional(nullable(InstanceCpuCount)), memory: optional(nullable(ByteCount)) }
const MachineSize = ref('MachineSize', object({ ...identity, ...size }))

export const { machineSizeList, machineSizeCreate, machineSizeView, machineSizeUpdate, machineSizeDelete } = plainOps(
  'machineSize', { response: MachineSize, create: size, update: changed, tag },
)
export const {
  siloMachineSizeList, siloMachineSizeCreate, siloMachineSizeView, siloMachineSizeUpdate, siloMachineSizeDelete,
} = plainOps('siloMachineSize', { response: MachineSize, create: size, update: changed, tag })

/** Those of the caller's silo if it has any, otherwise those of the fleet. */
export const offeredMachineSizeList = op({
  method: 'GET', path: '/v1/machine-sizes', allow: 'user', ok: 200, tag: 'instances',
  query: object(byNameOf('machineSize')),
  response: ref('MachineSizeResultsPage', page(MachineSize)),
})
