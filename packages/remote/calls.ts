/**
 * The calls that a server makes to a host, each with the schemas of its input and its answer: a POST with one JSON body each way.
 * Both ends check what they get.
 */
import {
  array,
  boolean,
  bytes,
  integer,
  nullable,
  object,
  optional,
  union,
  type Out,
  type Schema,
} from '@purlin/contract/schema'
import { DrivenElsewhere, SledUnreachable, SwitchRefused, SwitchUnreachable } from '@purlin/core/ports'
import { hardware, sledInfo } from './schemas/hardware.ts'
import {
  id,
  most,
  text,
  uuid,
  vmLayers,
  vmMigration,
  vmPresence,
  vmSpec,
  vmStatus,
  vmWay,
} from './schemas/machines.ts'
import { sledNetwork } from './schemas/networks.ts'
import { wireBatch } from './schemas/samples.ts'
import { switchConfiguration, switchStatus } from './schemas/switches.ts'

interface Call<I, O> {
  input: Schema<I>
  output: Schema<O>
}
const call = <I, O>(input: Schema<I>, output: Schema<O>): Call<I, O> => ({ input, output })

const nothing = object({})
const onSled = { id: uuid, sledId: id }
const MiB = 1024 * 1024

export const calls = {
  hardware: call(nothing, hardware),
  addSled: call(object({ part: text, serial: text }), nullable(sledInfo)),
  install: call(object({ componentId: id, version: text, hash: text }), nothing),
  dropSled: call(object({ sledId: id }), nothing),
  hold: call(object({ sledId: id, epoch: integer({ min: 0 }) }), nothing),
  ensure: call(object({ id: uuid, spec: vmSpec }), nothing),
  remove: call(object({ ...onSled, boot: integer() }), nothing),
  shutDown: call(object({ ...onSled, boot: integer() }), nothing),
  setLayers: call(object({ ...onSled, to: vmLayers }), nothing),
  migrate: call(object({ id: uuid, migration: vmMigration }), nothing),
  receive: call(object({ id: uuid, migration: vmMigration }), vmWay),
  setNetwork: call(object({ sledId: id, network: sledNetwork }), nothing),
  networks: call(
    object({ sledId: id }),
    array(object({ vpcId: id, version: integer() }), most(1_000_000, 'networks')),
  ),
  machines: call(object({ sledId: id }), array(vmPresence, most(100_000, 'machines'))),
  inspect: call(object(onSled), nullable(vmStatus)),
  samples: call(object({ sledId: id, since: nullable(integer()) }), wireBatch),
  readConsole: call(
    object({
      ...onSled,
      from: nullable(integer({ min: 0 })),
      last: nullable(integer({ min: 0 })),
      max: integer({ min: 0, max: 2 * MiB }),
    }),
    union('kept', { none: {}, dropped: {}, chunk: { data: bytes(2 * MiB), end: integer() } }),
  ),
  configureSwitch: call(object({ switchId: id, configuration: switchConfiguration }), nothing),
  switchVersion: call(object({ switchId: id }), nullable(integer())),
  switchStatus: call(object({ switchId: id }), switchStatus),
} as const

/** The header of a call with the epoch of its caller: see `SledDriver.hold`. */
export const epochHeader = 'purlin-epoch'

export type CallName = keyof typeof calls
export type InputOf<N extends CallName> = Out<(typeof calls)[N]['input']>
export type AnswerOf<N extends CallName> = Out<(typeof calls)[N]['output']>

/** A line of the stream of reports: one about a machine, or that the hardware has changed. */
export const reportLine = object({ vm: optional(vmStatus), hardware: optional(boolean()) })

/** A line of the stream of diagnostics: a file begins, goes on, or cannot be read. */
export const diagnosticLine = union('is', {
  file: { serial: text, name: text },
  bytes: { data: bytes(MiB) },
  unreachable: { reason: text },
})

/**
 * The first line that a server sends to open a console: how much of its history, where null is all, or an offset. A host of a
 * version without `from` follows from `history` on.
 */
export const consoleRequest = object({
  ...onSled,
  history: nullable(integer({ min: 0 })),
  from: optional(integer({ min: 0 })),
})

/** The trailers of a console: why it has ended, and the offset after the last byte. */
export const consoleTrailers = { reason: 'reason', end: 'end' } as const

/** The first line that a server sends to open a display. */
export const displayRequest = object(onSled)

/** The most bytes of a JSON body: that of the network of a large VPC. */
export const longestBody = 64 * MiB
/** The most bytes of a line of a stream. */
export const longestLine = 2 * MiB

/** The errors of the port, by the name under which they travel. */
export const portErrors = { DrivenElsewhere, SledUnreachable, SwitchUnreachable, SwitchRefused } as const
