/** The sizes that forms offer for instances: those of the fleet, and those of a silo that has its own. */
import { limits } from '#/rules/limits.ts'
import { byOperators, bytes, kind, recordedSize } from '../kind.ts'

const orders = { cpus: { field: 'ncpus', isNumber: true, unit: 'vCPUs' }, memory: bytes('memory') } as const

export const machineSize = kind({
  noun: 'machine size',
  type: 'machine-size',
  field: 'machineSize',
  parent: null,
  counts: byOperators,
  orders,
  recorded: recordedSize,
  search: { list: 'machineSizeList', rank: 19 },
  section: ['create', 'edit'],
})
export const siloMachineSize = kind({
  noun: 'silo machine size',
  type: 'silo-machine-size',
  field: 'siloMachineSize',
  parent: 'silo',
  scope: 'namedSilo',
  counts: { silo: limits.machineSizes },
  orders,
  recorded: recordedSize,
})
