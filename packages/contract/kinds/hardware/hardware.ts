/** The kinds of hardware. None is made by a request: their rows are what the hosts report. */
import { diskHealths } from '#/rules/hardware.ts'
import { bytes, kind } from '../kind.ts'

const found = { unlimited: 'only hardware that is found' } as const
const hardware = { isNamed: false, parent: null, counts: found } as const

export const rack = kind({ ...hardware, noun: 'rack', type: 'rack', field: 'rackId' })
export const sled = kind({
  ...hardware,
  noun: 'sled',
  type: 'sled',
  field: 'sledId',
  orders: {
    serial_number: { field: 'serial' },
    threads: { field: 'usableHardwareThreads', isNumber: true },
    memory: bytes('usablePhysicalRam'),
  },
})
export const physicalDisk = kind({
  ...hardware,
  noun: 'physical disk',
  type: 'physical-disk',
  field: 'diskId',
  filters: { health: { field: 'health', values: diskHealths } },
  // The worst health is the first in the alphabet.
  orders: {
    serial_number: { field: 'serial' },
    health: { field: 'health' },
    size: bytes('size'),
  },
})
export const networkSwitch = kind({
  ...hardware,
  noun: 'switch',
  type: 'switch',
  field: 'switchId',
})
