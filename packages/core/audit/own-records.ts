/** Entries of the audit log about what is done without a request: by a command on the server's machine, or by a server itself. */
import type { Touched, World } from '#/context.ts'
import { newRowId } from '#/db/row-id.ts'
import type { AuditPendingTable } from '#/db/tables.ts'
import { keysOf, objectsOf, type Details } from './details.ts'

interface OwnDeed {
  /** The operation as entries name it. */
  operation: string
  /** The command, or the part of the server. */
  by: string
  /** The silo that it was about. */
  silo?: { id: string; name: string }
  touched?: readonly Touched[]
}

const ownMachine = '::1'

/** The record, without an actor: it is not known who made it. */
export function ownRecord(
  world: Pick<World, 'engine' | 'ids' | 'clock'>,
  { operation, by, silo, touched = [] }: OwnDeed,
): AuditPendingTable {
  const now = world.clock.now()
  const details: Details = { uri: by, ...(silo && { siloName: silo.name }), ...objectsOf(touched) }
  const silos = { siloId: silo?.id ?? null, otherSiloId: null }
  return {
    id: newRowId(world),
    at: now,
    requestId: world.ids.uuid(),
    timeStarted: now,
    operation,
    actorId: null,
    ...silos,
    sourceIp: ownMachine,
    userAgent: by,
    status: 204,
    detailsJson: JSON.stringify(details),
    keys: keysOf(silos, details).join('\n'),
  }
}
