/** Snapshots of instances: those of all disks of one at one moment, under one name. They end with the instance, whose disks keep theirs. */
import { patternOfWhole, snapshotNameBy, wholeNameMaxLength } from '@purlin/contract/rules/snapshot-names'
import { countOf } from '@purlin/contract/rules/kinds'
import { diskAnswer, type SnapshotState } from '@purlin/contract/rules/states'
import { resolve, resolveToRead } from '#/auth/resolve.ts'
import { noteChanges, noteTarget } from '#/audit/touched.ts'
import type { BodyOf, Ctx, Family } from '#/context.ts'
import { batches } from '#/db/batches.ts'
import type { RowOf } from '#/db/kinds.ts'
import { mapPage, pageByName } from '#/db/lists/pages.ts'
import { fault } from '#/faults.ts'
import { plain, withDetails } from '../kind/plain.ts'
import { deleteRow, identityView, insertNamed, newIdentity, newKept, refuseProtected } from '../kind/rows.ts'
import { requireStorage } from '../silos/quotas.ts'
import { goBack, whileStopped } from '../storage/disk-changes.ts'
import { attachedTo } from '../storage/disks.ts'
import { drop, partsOf, takeTogether } from '../storage/snapshots.ts'

const perQuery = 200

type Row = RowOf<'instanceSnapshot'>
type Instance = RowOf<'instance'>
type Part = RowOf<'snapshot'>

/** The worst state first: the whole has that of its worst part. */
const byWeight = ['destroyed', 'faulted', 'creating', 'ready'] as const satisfies readonly SnapshotState[]

function view(row: Row, parts: readonly Part[]) {
  const own = parts.filter(({ instanceSnapshotId }) => instanceSnapshotId === row.id)
  return {
    ...identityView(row),
    instanceId: row.instanceId,
    ...(row.scheduleId === null ? {} : { scheduleId: row.scheduleId }),
    state: byWeight.find((state) => own.some((part) => part.state === state)) ?? 'ready',
    size: own.reduce((sum, { size }) => sum + size, 0),
    disks: own.map(({ diskId, id, name, state, size }) => ({
      diskId,
      snapshotId: id,
      snapshotName: name,
      state,
      size,
    })),
  }
}

const whole = plain(
  'instanceSnapshot',
  {
    view: (row) => view(row, []),
    viewOne: async (ctx, row) => view(row, await partsOf(ctx.tx, [row.id])),
    create: (ctx, instance, body) => take(ctx, instance, body),
    remove,
  },
  ['Create', 'View', 'Update', 'Delete'],
)

export const instanceSnapshots: Family<`instanceSnapshot${'List' | 'Create' | 'View' | 'Update' | 'Delete' | 'RollBack'}`> =
  {
    ...whole.handlers,
    instanceSnapshotRollBack: whole.act(rollBack),
    async instanceSnapshotList(ctx, { query }) {
      const instance = await resolve(ctx, 'instance', query)
      const rows = ctx.tx.selectFrom('instanceSnapshot').where('instanceId', '=', instance.id)
      const page = await pageByName(ctx, withDetails(query), {
        rows,
        table: 'instanceSnapshot',
        holder: instance.id,
      })
      const ids = page.items.map(({ id }) => id)
      const parts = await partsOf(ctx.tx, ids)
      return mapPage(page, (row) => view(row, parts))
    },
  }

/** Takes snapshots of all disks that are attached, or of none: throws what `takeTogether` throws, and 409 for a disk on its way. */
async function take(ctx: Ctx, instance: Instance, body: BodyOf<'instanceSnapshotCreate'>): Promise<Row> {
  if (body.name.length > wholeNameMaxLength)
    throw fault.invalidValue(
      'name',
      `it can have at most ${wholeNameMaxLength} characters: the name of each disk follows it`,
    )
  const disks = await attachedTo(ctx.tx, [instance.id])
  if (disks.length === 0) throw fault.invalid(`the instance "${instance.name}" has no disks`)
  const away = disks.find(({ state }) => diskAnswer('snapshot', state) === 'refuse')
  if (away) throw fault.conflict(`cannot take a snapshot of disk "${away.name}" in state ${away.state}`)
  await requireStorage(ctx, instance.siloId, disks)
  const row: Row = {
    ...newIdentity(ctx, body),
    ...newKept(body),
    projectId: instance.projectId,
    instanceId: instance.id,
    scheduleId: null,
  }
  await insertNamed(ctx, 'instanceSnapshot', row)
  const taken = disks.map((disk) => {
    const name = snapshotNameBy(patternOfWhole(body.name), { disk: disk.name, at: ctx.now })
    return [disk, { ...body, name }] as const
  })
  await takeTogether(ctx, taken, row.id)
  return row
}

async function remove(ctx: Ctx, row: Row): Promise<void> {
  const parts = await partsOf(ctx.tx, [row.id])
  for (const part of parts) refuseProtected('snapshot', part)
  await drop(ctx, parts)
  await deleteRow('instanceSnapshot')(ctx, row)
}

/**
 * Gives all disks their content again, or none. Throws 400 unless exactly the disks of the snapshot are attached, 409
 * while the instance has a machine, and what `take` throws.
 */
async function rollBack(
  ctx: Ctx,
  row: Row,
  { snapshotBefore }: BodyOf<'instanceSnapshotRollBack'>,
): Promise<Row> {
  const instance = await resolveToRead(ctx, 'instance', { instance: row.instanceId })
  const parts = await partsOf(ctx.tx, [row.id])
  await haveSameDisks(ctx, parts, instance)
  await whileStopped(ctx, instance, 'roll back one')
  const change = { field: 'instance_rolled_back', before: null, after: instance.name }
  noteChanges(ctx.unit, ['instanceSnapshot', row], [change])
  noteTarget(ctx.unit, 'instance', instance)
  if (snapshotBefore != null)
    await take(ctx, instance, {
      name: snapshotBefore,
      description: `Before the roll-back to instance snapshot "${row.name}"`,
    })
  for (const part of parts) await goBack(ctx, part.diskId, part)
  return row
}

/** Throws 400 with the disks that differ. */
async function haveSameDisks({ tx }: Ctx, parts: readonly Part[], instance: Instance): Promise<void> {
  const attached = await attachedTo(tx, [instance.id])
  const taken = new Set(parts.map(({ diskId }) => diskId))
  const added = attached.filter(({ id }) => !taken.has(id))
  if (added.length > 0)
    throw fault.invalid(
      `not in the snapshot: ${namesOf(added)}. Detach ${countOf(added.length, 'disk')} first`,
    )
  const missing = parts.filter(({ diskId }) => attached.every(({ id }) => id !== diskId))
  if (missing.length === 0) return
  const ids = missing.map(({ diskId }) => diskId)
  const detached = await tx.selectFrom('disk').select('name').where('id', 'in', ids).orderBy('name').execute()
  throw fault.invalid(
    detached.length > 0
      ? `not attached any more: ${namesOf(detached)}. Attach ${countOf(detached.length, 'disk')} first`
      : `deleted: the disks of ${namesOf(missing)}. Roll the other disks back one by one`,
  )
}

const namesOf = (rows: readonly { name: string }[]): string => rows.map(({ name }) => `"${name}"`).join(', ')

/** The snapshots of disks stay, as single ones. */
export async function forgetSnapshots({ tx }: Pick<Ctx, 'tx'>, instanceId: string): Promise<void> {
  const rows = await tx
    .selectFrom('instanceSnapshot')
    .select('id')
    .where('instanceId', '=', instanceId)
    .execute()
  for (const some of batches(rows, perQuery)) {
    const ids = some.map(({ id }) => id)
    const single = { instanceSnapshotId: null }
    await tx.updateTable('snapshot').set(single).where('instanceSnapshotId', 'in', ids).execute()
    await tx.deleteFrom('instanceSnapshot').where('id', 'in', ids).execute()
  }
}
