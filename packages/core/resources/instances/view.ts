/** Instances as clients see them. */
import { autoRestartCooldownMs } from '@purlin/contract/rules/auto-restart'
import type { Accelerator, NetworkMode } from '@purlin/contract/rules/hardware'
import type { Selectable } from 'kysely'
import type { Ctx } from '#/context.ts'
import type { Listed } from '#/db/lists/listed.ts'
import type { InstanceTable } from '#/db/tables.ts'
import { detailsOf } from '#/resources/hardware/details.ts'
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

/**
 * The fields of an instance's view that come from its host: why its state may be out of date, and a request on it waits; the
 * networks that it has there; and how it runs.
 */
export async function fromHost(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  row: InstanceRow,
): Promise<{ waitReason?: string; networkMode?: NetworkMode; accelerator?: Accelerator }> {
  const sled =
    row.sledId === null
      ? undefined
      : await tx
          .selectFrom('sled')
          .select(['missingSince', 'hostJson'])
          .where('id', '=', row.sledId)
          .executeTakeFirst()
  const waitReason = reasonOf(row, { now, missingSince: sled?.missingSince ?? null })
  const { networkMode, accelerator } = (sled && detailsOf(sled)) ?? {}
  return {
    ...(waitReason === undefined ? {} : { waitReason }),
    ...(networkMode ? { networkMode } : {}),
    ...(accelerator ? { accelerator } : {}),
  }
}

/** In words for people. */
function reasonOf(
  { dueAt, sledId, attempts }: InstanceRow,
  { now, missingSince }: { now: number; missingSince: number | null },
): string | undefined {
  if (dueAt !== null && dueAt < now - overdueMs)
    return 'No server runs instances at the moment. Requests are carried out when one does: ask an operator to look after it.'
  if (sledId === null) return undefined
  if (missingSince !== null)
    return 'The sled of this instance does not answer. Requests are carried out when it answers again.'
  return attempts > 1
    ? 'The sled of this instance has not carried out the last request yet. It is tried again.'
    : undefined
}
