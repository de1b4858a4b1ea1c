/** Physical disks. */
import type { Family } from '#/context.ts'
import { permit } from '#/auth/resolve.ts'
import { mapPage, pageById } from '#/db/lists/pages.ts'
import type { PhysicalDiskTable } from '#/db/tables.ts'
import { plain } from '../kind/plain.ts'
import { fromHundredths, seenOf, timesOf } from './details.ts'

/** A physical disk as clients see it. */
export const diskView = (row: PhysicalDiskTable) => {
  const { id, sledId, vendor, model, serial, formFactor, size, health, healthReason, policy, state } = row
  return {
    id,
    sledId,
    vendor,
    model,
    serial,
    formFactor,
    size,
    health,
    healthReason,
    state,
    policy: { kind: policy },
    wear: fromHundredths(row.wear),
    temperature: fromHundredths(row.temperature),
    ...timesOf(row),
    ...seenOf(row),
  }
}

const plainDisks = plain('physicalDisk', {
  view: diskView,
  seen: (_, rows) => rows.where('policy', '=', 'in_service'),
})

export const disks: Family<'sledPhysicalDiskList' | keyof typeof plainDisks.handlers> = {
  ...plainDisks.handlers,

  async sledPhysicalDiskList(ctx, { params, query }) {
    permit(ctx)
    const rows = ctx.tx.selectFrom('physicalDisk').where('sledId', '=', params.sledId.toLowerCase())
    return mapPage(
      await pageById(ctx, query, { rows, table: 'physicalDisk', holder: params.sledId.toLowerCase() }),
      diskView,
    )
  },
}
