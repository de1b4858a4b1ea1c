/** The roll-out of the target release, as clients see and control it. */
import { isOlder, versionProblem } from '@purlin/contract/rules/versions'
import { factoryRelease, type ComponentState } from '@purlin/contract/rules/updates'
import { permit } from '#/auth/resolve.ts'
import type { Ctx, Family } from '#/context.ts'
import { insertRow } from '#/db/prepared.ts'
import { pageByKey } from '#/db/lists/pages.ts'
import type { RollOutTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { artifactsOf, pendingOn, unitsIn, type Artifacts, type Component, type Unit } from './components.ts'
import { ofVersion, repositoryOf } from './repositories.ts'
import { targetOf } from './targets.ts'

const id = 'rack'

/** The row of the roll-out; undefined before there was a target. */
export const rollOutIn = (tx: Tx): Promise<RollOutTable | undefined> =>
  tx.selectFrom('rollOut').selectAll().where('id', '=', id).executeTakeFirst()

/** Changes the row. A new reason to wait counts from `now`. */
export async function changeRollOut(
  tx: Tx,
  row: RollOutTable,
  { now, ...changes }: Partial<RollOutTable> & { now: number },
): Promise<void> {
  const waits = changes.waitsFor !== undefined && changes.waitsFor !== row.waitsFor
  const since = waits ? { waitsSince: changes.waitsFor === null ? null : now } : {}
  await tx
    .updateTable('rollOut')
    .set({ ...changes, ...since })
    .where('id', '=', id)
    .execute()
}

/** Begins the roll-out of a new target in the name of the caller, or resumes it. */
export async function begin({ tx, actor, now }: Ctx): Promise<void> {
  const row = await rollOutIn(tx)
  const started = { userId: actor.userId, pausedSince: null, waitsFor: null }
  if (row) {
    const phaseSince = row.phase === null ? null : now
    await changeRollOut(tx, row, { ...started, phaseSince, now })
    return
  }
  await insertRow(tx, 'rollOut', {
    id,
    ...started,
    timeLastStep: now,
    unitKind: null,
    unitId: null,
    phase: null,
    phaseSince: null,
    hasMaintenance: 0,
    waitsSince: null,
  })
}

/** The state of the rack, and where it is to be. */
export interface Goal {
  version: string
  artifacts: Artifacts
  units: Unit[]
}

/** The goal of a release; undefined if its repository has been deleted. */
export async function goalOf(tx: Tx, version: string): Promise<Goal | undefined> {
  const repository = await ofVersion(tx, version)
  if (!repository) return undefined
  return { version, artifacts: await artifactsOf(tx, repository.id), units: await unitsIn(tx) }
}

/** The units that are to be updated, in their order. */
export const unitsLeft = ({ units, artifacts, version }: Goal): Unit[] =>
  units.filter((unit) => pendingOn(unit, artifacts, version).length > 0)

/**
 * True if support has changed the software of a component by hand: it is newer than the target, or of no release. An
 * update would undo that.
 */
export const isSuspended = (components: readonly Component[], target: string): boolean =>
  components.some(
    ({ version }) => version !== null && (versionProblem(version) !== undefined || isOlder(target, version)),
  )

/** An update that has waited for the same longer than usual. */
interface UpdateStall {
  /** The repository of the target release, and its version. */
  id: string
  version: string
  since: number
  /** The event that it waits for. */
  reason: string
}

/** The update, if it stalls. */
export async function updateStall(tx: Tx, now: number): Promise<UpdateStall | undefined> {
  const row = await rollOutIn(tx)
  if (!row || row.pausedSince !== null || row.waitsFor === null || row.waitsSince === null) return undefined
  const target = await targetOf(tx)
  const repository = target && (await ofVersion(tx, target.systemVersion))
  if (!repository || now - row.waitsSince < stallMs) return undefined
  const { id: repositoryId, systemVersion: version } = repository
  return { id: repositoryId, version, since: row.waitsSince, reason: row.waitsFor }
}
const stallMs = 10 * 60_000

const unitView = ({ kind, id: unitId, serial }: Unit) => ({ kind, id: unitId, serial })
const dateOf = (time: number | null | undefined) => (time == null ? null : new Date(time))

export const rollOuts: Family<
  | 'systemUpdateStatus'
  | 'systemUpdateComponentList'
  | 'systemUpdatePlan'
  | 'systemUpdatePause'
  | 'systemUpdateResume'
> = {
  async systemUpdateStatus(ctx) {
    permit(ctx)
    const { tx } = ctx
    const target = await targetOf(tx)
    const row = await rollOutIn(tx)
    const goal = target && (await goalOf(tx, target.systemVersion))
    const units = goal?.units ?? (await unitsIn(tx))
    const components = units.flatMap((unit) => unit.components)
    const at = units.find((unit) => unit.id === row?.unitId)
    const next = goal && unitsLeft(goal).find((unit) => unit.id !== row?.unitId)
    const step =
      at && row?.phase ? { ...unitView(at), phase: row.phase, since: new Date(row.phaseSince ?? 0) } : null
    return {
      targetRelease: target
        ? { version: target.systemVersion, timeRequested: new Date(target.timeRequested) }
        : null,
      componentsByReleaseVersion: countsOf(components, (unitId) => isRestarting(row, unitId)),
      timeLastStepPlanned: new Date(row?.timeLastStep ?? 0),
      suspended: target !== undefined && isSuspended(components, target.systemVersion),
      paused: dateOf(row?.pausedSince),
      waitsFor: row?.waitsFor ?? null,
      waitsSince: dateOf(row?.waitsSince),
      step,
      next: next ? unitView(next) : null,
    }
  },

  async systemUpdateComponentList(ctx, { query }) {
    permit(ctx)
    const { tx } = ctx
    const target = await targetOf(tx)
    const row = await rollOutIn(tx)
    const goal = target && (await goalOf(tx, target.systemVersion))
    const units = goal?.units ?? (await unitsIn(tx))
    const items = units.flatMap((unit) =>
      unit.components.map((one) => {
        const wanted = goal?.artifacts.has(one.kind) ? goal.version : null
        const { version, versionSince } = one
        const state = stateOf(one, { wanted, isUpdating: row?.unitId === unit.id })
        const since = new Date(one.missingSince ?? versionSince)
        return { id: one.id, component: one.kind, unit: unitView(unit), version, wanted, state, since }
      }),
    )
    return pageByKey(ctx, query, {
      items: items.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      keyOf: (item) => item.id,
    })
  },

  async systemUpdatePlan(ctx, { query }) {
    permit(ctx)
    const { tx } = ctx
    const { systemVersion } = await repositoryOf(tx, query.systemVersion)
    const goal = await goalOf(tx, systemVersion)
    const steps = goal ? unitsLeft(goal) : []
    const items = []
    for (const [place, unit] of steps.entries()) {
      const components = goal ? pendingOn(unit, goal.artifacts, systemVersion) : []
      items.push({
        key: String(place).padStart(6, '0'),
        ...unitView(unit),
        instances: unit.kind === 'sled' ? await countInstances(tx, unit.id) : 0,
        components: components.map(({ kind, version }) => ({ component: kind, version })),
      })
    }
    return pageByKey(ctx, query, { items, keyOf: ({ key }) => key })
  },

  async systemUpdatePause(ctx) {
    permit(ctx)
    const row = await rollOutIn(ctx.tx)
    if (!row) throw fault.invalid('there is no update to pause: set a target release first')
    if (row.pausedSince === null) await changeRollOut(ctx.tx, row, { pausedSince: ctx.now, now: ctx.now })
    ctx.wake('updates')
  },

  async systemUpdateResume(ctx) {
    permit(ctx)
    if (!(await rollOutIn(ctx.tx)))
      throw fault.invalid('there is no update to resume: set a target release first')
    await begin(ctx)
    ctx.wake('updates')
  },
}

/** True while a unit restarts with its release: that it does not answer then is no fault. */
export const isRestarting = (row: RollOutTable | undefined, unitId: string): boolean =>
  row?.phase === 'installing' && row.unitId === unitId

/** The components of each release. Those that are missing count only while their unit restarts. */
function countsOf(
  components: readonly Component[],
  restarts: (unitId: string) => boolean,
): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { unitId, version, missingSince } of components) {
    if (missingSince !== null && !restarts(unitId)) continue
    const release = version ?? factoryRelease
    counts[release] = (counts[release] ?? 0) + 1
  }
  return counts
}

function stateOf(
  { version, missingSince }: Component,
  { wanted, isUpdating }: { wanted: string | null; isUpdating: boolean },
): ComponentState {
  if (isUpdating && (missingSince !== null || (wanted !== null && version !== wanted))) return 'updating'
  if (missingSince !== null) return 'missing'
  if (wanted === null) return 'other'
  return version === wanted ? 'current' : 'pending'
}

async function countInstances(tx: Tx, sledId: string): Promise<number> {
  const row = await tx
    .selectFrom('instance')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('sledId', '=', sledId)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}
