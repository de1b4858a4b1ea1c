/** Hosts, disks and switches on the wire. */
import {
  accelerators,
  networkModes,
  cpuFamilies,
  diskHealths,
  formFactors,
  linkStates,
} from '@purlin/contract/rules/hardware'
import {
  array,
  enumOf,
  integer,
  nullable,
  number,
  object,
  optional,
  type Schema,
} from '@purlin/contract/schema'
import type { Hardware, SledInfo } from '@purlin/core/ports'
import { exact, id, most, text } from './machines.ts'

const size = integer({ min: 0 })
const board = { part: text, serial: text, revision: integer() }

export const sledInfo = exact<SledInfo>(
  object({
    id,
    rackId: id,
    cubby: nullable(integer({ min: 0 })),
    vendor: text,
    model: text,
    cpuModel: text,
    version: optional(text),
    cpuFamily: enumOf(cpuFamilies),
    accelerator: enumOf(accelerators),
    networkMode: enumOf(networkModes),
    tunnelAddress: optional(id),
    external: optional(array(id, most(1_000, 'blocks'))),
    usableHardwareThreads: size,
    usablePhysicalRam: size,
    reservoirSize: size,
    sharedStorage: optional(size),
    temperature: nullable(number()),
    links: array(
      object({ name: text, speed: nullable(size), state: enumOf(linkStates) }),
      most(1_000, 'links'),
    ),
    load: nullable(object({ threads: number(), memory: size, storage: size })),
    ...board,
  }),
)

const disk = object({
  id,
  sledId: id,
  vendor: text,
  model: text,
  serial: text,
  formFactor: enumOf(formFactors),
  size,
  wear: nullable(number()),
  temperature: nullable(number()),
  health: enumOf(diskHealths),
  healthReason: nullable(text),
})

const lanes = array(number(), most(100, 'lanes'))
const port = object({
  id,
  switchId: id,
  name: text,
  state: enumOf(linkStates),
  speed: nullable(size),
  transceiver: nullable(
    object({
      vendor: text,
      part: text,
      serial: text,
      temperature: nullable(number()),
      voltage: nullable(number()),
      received: lanes,
      transmitted: lanes,
    }),
  ),
})

export const hardware: Schema<Hardware> = object({
  racks: array(object({ id, serial: text }), most(100, 'racks')),
  sleds: array(sledInfo, most(1_000, 'sleds')),
  uninitialized: array(object({ rackId: id, cubby: integer({ min: 0 }), ...board }), most(1_000, 'sleds')),
  disks: array(disk, most(10_000, 'disks')),
  switches: array(
    object({
      id,
      rackId: id,
      location: text,
      vendor: text,
      model: text,
      temperature: nullable(number()),
      ...board,
    }),
    most(100, 'switches'),
  ),
  ports: array(port, most(10_000, 'ports')),
  components: array(
    object({ id, kind: id, sledId: nullable(id), switchId: nullable(id), version: nullable(text) }),
    most(10_000, 'components'),
  ),
})
