/** Machines and their reports on the wire between a server and a host. */
import { limits } from '@purlin/contract/rules/limits'
import {
  array,
  boolean,
  bytes,
  enumOf,
  integer,
  nullable,
  object,
  optional,
  string,
  type Schema,
} from '@purlin/contract/schema'
import type {
  Layer,
  VmDisk,
  VmLayers,
  VmMigration,
  VmNic,
  VmPresence,
  VmSpec,
  VmStatus,
  VmWay,
} from '@purlin/core/ports'

/** Limits that only a broken or hostile end exceeds. */
export const most = (count: number, noun: string) => ({ count, noun })
export const text = string({ maxLength: 4_096 })
/** An identifier that is only compared. */
export const id = string({ maxLength: 256 })
/** The identifier of a machine or a part of it, which becomes the name of files. */
export const uuid = string({ format: 'uuid' })

/** Parsed values have no key with `undefined`, which the inferred types cannot say. */
type Loose<T> = { [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] }
export const exact = <T>(schema: Schema<Loose<T>>): Schema<T> => schema as Schema<T>

const layers: Schema<Layer[]> = array(object({ id: uuid, hasBytes: boolean() }), most(10_000, 'layers'))

const disk: Schema<VmDisk> = object({
  id: uuid,
  name: text,
  size: integer({ min: 0 }),
  blockSize: integer({ min: 0 }),
  slot: integer({ min: 0 }),
  layers,
})

const nic = exact<VmNic>(object({ id, mac: id, slot: integer({ min: 0 }), isIpv6: optional(boolean()) }))

export const vmSpec = exact<VmSpec>(
  object({
    sledId: id,
    boot: integer(),
    reset: integer(),
    storage: integer(),
    name: text,
    hostname: text,
    ncpus: integer({ min: 0 }),
    machineType: optional(id),
    cpuPlatform: enumOf(['amd_milan', 'amd_turin', 'host']),
    memory: integer({ min: 0 }),
    bootDiskId: nullable(uuid),
    disks: array(disk, most(1_000, 'disks')),
    nics: array(nic, most(1_000, 'network interfaces')),
    userData: bytes(limits.instance.userData),
    sshPublicKeys: array(string({ maxLength: 100_000 }), most(10_000, 'keys')),
  }),
)

/** A server of an older version names no sizes. */
const layersOfDisk = exact<VmLayers['disks'][number]>(
  object({ id: uuid, layers, size: optional(integer({ min: 0 })) }),
)
export const vmLayers: Schema<VmLayers> = object({
  boot: integer(),
  storage: integer(),
  disks: array(layersOfDisk, most(1_000, 'disks')),
})

export const vmWay: Schema<VmWay> = object({
  address: text,
  port: integer({ min: 1, max: 65_535 }),
  secret: string({ maxLength: 256 }),
})

export const vmMigration = exact<VmMigration>(object({ id, to: id, spec: vmSpec, at: optional(vmWay) }))

const state = enumOf(['starting', 'running', 'rebooting', 'stopping', 'stopped', 'failed'])

export const vmStatus = exact<VmStatus>(
  object({
    id,
    sledId: id,
    boot: integer(),
    reset: integer(),
    seq: integer(),
    storage: integer(),
    machineType: optional(id),
    state,
    reason: optional(text),
    guestShutdown: optional(boolean()),
    failedMigration: optional(object({ id, reason: text })),
  }),
)

export const vmPresence: Schema<VmPresence> = object({ id, boot: integer(), state })
