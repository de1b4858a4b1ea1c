/** The calls that a server makes to the helper with the rights, each with the schemas of its input and its answer. */
import { array, integer, nullable, object, type Schema } from '@purlin/contract/schema'
import { id, most } from '@purlin/remote/schemas/machines'
import { sledNetwork } from '@purlin/remote/schemas/networks'

interface Call<I, O> {
  input: Schema<I>
  output: Schema<O>
}
const call = <I, O>(input: Schema<I>, output: Schema<O>): Call<I, O> => ({ input, output })

const nothing = object({})
const nics = object({ nicIds: array(id, most(100, 'interfaces')) })

const mostMeasured = 10_000
const packets = object({ bytes: integer(), packets: integer(), errors: integer(), dropped: integer() })
const ofNic = object({ nicId: id, sent: packets, received: packets })

export const calls = {
  set: call(sledNetwork, nothing),
  held: call(nothing, array(object({ vpcId: id, version: integer() }), most(1_000_000, 'networks'))),
  named: call(nothing, object({ tunnelAddress: nullable(id), external: array(id, most(1_000, 'blocks')) })),
  prepare: call(nics, array(id, most(100, 'devices'))),
  connect: call(nics, nothing),
  release: call(nics, nothing),
  traffic: call(
    object({ nicIds: array(id, most(mostMeasured, 'interfaces')) }),
    array(ofNic, most(mostMeasured, 'interfaces')),
  ),
  clear: call(nothing, nothing),
} as const

export type CallName = keyof typeof calls
const MiB = 1024 * 1024
/** Bytes of a body. */
export const longestBody = 64 * MiB
