/** Hosts: processes that run machines. Each joins once with a code that an operator has made. */
import { op } from '#/op.ts'
import { hostLimits, hostStates } from '#/rules/credentials/hosts.ts'
import { limits } from '#/rules/limits.ts'
import { array, enumOf, integer, nullable, object, optional, ref, string, time, unlimited } from '#/schema.ts'
import { Uuid } from '#/schemas/scalar.ts'
import { plainOps } from '../plain.ts'

const tag = 'system/hardware'
const root = '/v1/system/hardware'
const text = string(unlimited)
const port = integer({ min: 1, max: 65_535, format: 'uint16' })

export const HostState = ref('HostState', enumOf(hostStates))
const Host = ref('Host', object({
  id: Uuid, address: text, port, fingerprint: text,
  state: HostState, timeStateChanged: time(),
  /** Once it has a sled that is part of the system. */
  version: optional(text),
  /** Those that are part of the system. */
  sledIds: array(Uuid, unlimited),
  timeCreated: time(), timeModified: time(),
}))
export const { hostList, hostView, hostDelete } = plainOps('host', {
  path: `${root}/hosts`, verbs: ['List', 'View', 'Delete'], response: Host, tag,
})

const code = { id: Uuid, timeCreated: time(), timeModified: time(), timeExpires: time(), createdBy: nullable(text) }
const codes = plainOps('hostJoinCode', {
  path: `${root}/host-join-codes`, verbs: ['List', 'Create', 'View', 'Delete'], tag,
  response: ref('HostJoinCode', object(code)),
  create: { minutes: optional(integer({ min: 1, max: hostLimits.minutes.most, format: 'uint32' })) },
})
export const { hostJoinCodeList, hostJoinCodeView, hostJoinCodeDelete } = codes
/** Only this answer has the code itself. */
export const hostJoinCodeCreate = op({
  ...codes.hostJoinCodeCreate, response: ref('HostJoinCodeValue', object({ ...code, code: text })),
})

/** A process asks to be a host. The proof is in the place of a session. */
export const hostJoin = op({
  method: 'POST', path: '/v1/host-join', allow: 'public', ok: 201, tag, bodyLimit: limits.bodyOfStrangers,
  body: ref('HostJoin', object({
    codeId: Uuid, address: string({ maxLength: hostLimits.address }), port,
    publicKey: string({ maxLength: hostLimits.publicKey }), proof: string({ maxLength: hostLimits.proof, isSecret: true }),
  })),
  response: ref('HostJoined', object({ id: Uuid, fleetId: Uuid, certificate: text, authority: text })),
})
