/** Entries of the audit log about what is done without a request: by a command on the server's machine, or by a server itself. */
import type { Touched, World } from '#/context.ts'
import type { AuditPendingTable } from '#/db/tables.ts'
import { keysOf, objectsOf, type Details } from './details.ts'
import { newPendingId } from './pending-id.ts'

export interface OwnDeed {
  /** The operation as entries name it. */
  operation: string
  /** The command, or the part of the server. */
  by: string
  /** The silo that it was about. */
  silo?: { id: string; name: string }
  touched?: readonly Touched[]
  /** The user who has had it done. */
  actor?: { id: string; name: string }
  /** Why it has failed, for people. */
  refusal?: string
}

const ownMachine = '::1'

/** The record; without an actor, it is not known who made it. */
export function ownRecord(
  world: Pick<World, 'engine' | 'ids' | 'clock'>,
  { operation, by, silo, touched = [], actor, refusal }: OwnDeed,
): AuditPendingTable {
  const now = world.clock.now()
  const details: Details = {
    uri: by,
    ...(silo && { siloName: silo.name }),
    ...(actor && { actorName: actor.name }),
    ...(refusal !== undefined && { message: refusal }),
    ...objectsOf(touched),
  }
  const silos = { siloId: silo?.id ?? null, otherSiloId: null }
  return {
    id: newPendingId(world),
    at: now,
    requestId: world.ids.uuid(),
    timeStarted: now,
    operation,
    actorId: actor?.id ?? null,
    ...silos,
    sourceIp: ownMachine,
    userAgent: by,
    status: refusal === undefined ? 204 : 400,
    detailsJson: JSON.stringify(details),
    keys: keysOf(silos, details).join('\n'),
  }
}
