/** Instances as clients see them. */
import { autoRestartCooldownMs } from '@purlin/contract/rules/auto-restart'
import type { Selectable } from 'kysely'
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
