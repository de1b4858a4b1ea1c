/** The rows that nothing uses. Each condition is read through an index or from the row itself. */
import { limits } from '@purlin/contract/rules/limits'
import type { SelectQueryBuilder } from 'kysely'
import type { Tables } from '#/db/tables.ts'

const dayMs = 24 * 60 * 60_000

type RowsOf<T extends keyof Tables> = SelectQueryBuilder<Tables, T, object>

/** Disks that are attached to no instance. */
export const unusedDisks = (rows: RowsOf<'disk'>) => rows.where('disk.state', '=', 'detached')

/** Snapshots whose disk is gone. */
export const unusedSnapshots = (rows: RowsOf<'snapshot'>) =>
  rows.where((eb) =>
    eb.not(
      eb.exists(
        eb.selectFrom('disk as source').select('source.id').whereRef('source.id', '=', 'snapshot.diskId'),
      ),
    ),
  )

/** Images that no disk was made from, or only disks that are gone. */
export const unusedImages = (rows: RowsOf<'image'>) =>
  rows.where((eb) =>
    eb.not(
      eb.exists(eb.selectFrom('disk as made').select('made.id').whereRef('made.imageId', '=', 'image.id')),
    ),
  )

/** Addresses that are attached to no instance. */
export const unusedFloatingIps = (rows: RowsOf<'externalIp'>) =>
  rows.where('externalIp.instanceId', 'is', null)

/** Instances that have been stopped for long. */
export const unusedInstances = (rows: RowsOf<'instance'>, now: number) =>
  rows
    .where('instance.runState', '=', 'stopped')
    .where('instance.timeRunStateUpdated', '<=', now - limits.unused.stoppedDays * dayMs)
