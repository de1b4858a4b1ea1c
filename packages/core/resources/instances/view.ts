/** Instances as clients see them. */
import { autoRestartCooldownMs } from '@purlin/contract/rules/auto-restart'
import type { Selectable } from 'kysely'
import type { Ctx } from '#/context.ts'
import type { Listed } from '#/db/lists/listed.ts'
import type { InstanceTable } from '#/db/tables.ts'
import { identityView } from '#/resources/kind/rows.ts'

export type InstanceRow = Selectable<InstanceTable>

const dateOrNull = (ms: number | null) => (ms === null ? null : new Date(ms))

/** The platform's default policy is to restart. */
export const restartsByItself = (row: Pick<InstanceRow, 'autoRestartPolicy'>): boolean =>
  row.autoRestartPolicy !== 'never'

export const instanceView = (row: Listed<'instance'>) => ({
  ...identityView(row),
  projectId: row.projectId,
  ncpus: row.ncpus,
  memory: row.memory,
  hostname: row.hostname,
  runState: row.runState,
  timeRunStateUpdated: new Date(row.timeRunStateUpdated),
  bootDiskId: row.bootDiskId,
  autoRestartEnabled: restartsByItself(row),
  autoRestartPolicy: row.autoRestartPolicy,
  autoRestartCooldownExpiration: dateOrNull(
    row.timeLastAutoRestarted === null ? null : row.timeLastAutoRestarted + autoRestartCooldownMs,
  ),
  timeLastAutoRestarted: dateOrNull(row.timeLastAutoRestarted),
  cpuPlatform: row.cpuPlatform,
  lastError: row.lastError,
})

/** The part of an instance that operators see, with the names of what it is in. */
export type NamedInstance = Pick<
  InstanceRow,
  'id' | 'name' | 'runState' | 'ncpus' | 'memory' | 'timeCreated' | 'timeModified'
> & { projectName: string; siloName: string }

/** The loop looks at each instance when it is due; another server takes over within 5 s. */
const overdueMs = 10_000

/** The field of an instance's view that says why its state may be out of date, and a request on it waits. */
export async function waiting(ctx: Ctx, row: InstanceRow): Promise<{ waitReason?: string }> {
  const waitReason = await reasonOf(ctx, row)
  return waitReason === undefined ? {} : { waitReason }
}

/** In words for people. */
async function reasonOf(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  { dueAt, sledId, attempts }: InstanceRow,
): Promise<string | undefined> {
  if (dueAt !== null && dueAt < now - overdueMs)
    return 'No server runs instances at the moment. Requests are carried out when one does: ask an operator to look after it.'
  if (sledId === null) return undefined
  const sled = await tx.selectFrom('sled').select('missingSince').where('id', '=', sledId).executeTakeFirst()
  if (sled?.missingSince != null)
    return 'The sled of this instance does not answer. Requests are carried out when it answers again.'
  return attempts > 1
    ? 'The sled of this instance has not carried out the last request yet. It is tried again.'
    : undefined
}
