/**
 * Rolls out the target release: one switch or sled at a time, each sled emptied by the same maintenance as that of an
 * operator. The row of the roll-out says which step has begun, so that a restarted server continues it.
 */
import type { RollOutPhase } from '@purlin/contract/rules/updates'
import { actorsOf } from '#/auth/people.ts'
import type { Actor, AskAs, World } from '#/context.ts'
import type { RollOutTable, Tx } from '#/db/tables.ts'
import { SledUnreachable } from '#/ports.ts'
import { pendingOn, type Unit } from '#/resources/updates/components.ts'
import {
  changeRollOut,
  goalOf,
  isSuspended,
  rollOutIn,
  unitsLeft,
  type Goal,
} from '#/resources/updates/roll-out.ts'
import { targetOf } from '#/resources/updates/targets.ts'
import type { Loop } from './loop.ts'

const idleMs = 60_000
const busyMs = 2_000
/** A restart with a new release takes no longer. */
const restartMs = 15 * 60_000

/** The state at the beginning of a round, if there is anything to do. */
interface Round {
  world: World
  askAs: AskAs
  row: RollOutTable
  goal: Goal
  now: number
}

/** The loop. Each round takes a step or says what it waits for. */
export const rollOutReleases = (world: World, askAs: AskAs): Loop => ({
  name: 'updates',
  async round() {
    const now = world.clock.now()
    const found = await world.engine.transaction('read', find)
    if (!found) return now + idleMs
    const round = { ...found, world, askAs, now }
    const { row, goal } = round
    const unit = goal.units.find(({ id }) => id === row.unitId)
    const isBusy = await (unit && row.phase ? continueStep(round, unit, row.phase) : beginStep(round))
    return world.clock.now() + (isBusy ? busyMs : idleMs)
  },
})

async function find(tx: Tx): Promise<Pick<Round, 'row' | 'goal'> | undefined> {
  const target = await targetOf(tx)
  const row = await rollOutIn(tx)
  const goal = target && (await goalOf(tx, target.systemVersion))
  return row && goal && { row, goal }
}

/** Writes changes of the row, unless an operator has changed it since it was read. */
async function change({ world, row, now }: Round, changes: Partial<RollOutTable>): Promise<void> {
  await world.engine.transaction('write', async (tx) => {
    const current = await rollOutIn(tx)
    if (current?.unitId === row.unitId && current.phase === row.phase)
      await changeRollOut(tx, current, { ...changes, now })
  })
}

const waitFor = async (round: Round, waitsFor: string | null): Promise<boolean> => {
  await change(round, { waitsFor })
  return true
}

/** Between two steps: begins the next one. False if there is nothing left to do. */
async function beginStep(round: Round): Promise<boolean> {
  const { row, goal, now } = round
  const [unit] = unitsLeft(goal)
  if (!unit) {
    await change(round, { waitsFor: null })
    return false
  }
  const problem = problemOf(goal)
  if (problem !== undefined) return waitFor(round, problem)
  if (row.pausedSince !== null) return waitFor(round, 'an operator to resume it')
  const phase = unit.kind === 'switch' ? 'installing' : 'evacuating'
  // Maintenance that an operator has begun is theirs to end.
  const isOwn = unit.kind === 'sled' && (await maintenanceOf(round, unit.id)) === undefined
  const unitOf = { unitKind: unit.kind, unitId: unit.id, phase, phaseSince: now } as const
  await change(round, { ...unitOf, hasMaintenance: isOwn ? 1 : 0, timeLastStep: now, waitsFor: null })
  return true
}

/** Why no step may begin: support has changed the software, or something does not answer. */
function problemOf({ units, version }: Goal): string | undefined {
  const components = units.flatMap((unit) => unit.components)
  if (isSuspended(components, version))
    return 'the release that support has installed: upload it and make it the target'
  const missing = units.find(({ missingSince }) => missingSince !== null)
  return (
    missing && `${nameOf(missing)} to answer again${missing.kind === 'sled' ? ', or to be expunged' : ''}`
  )
}

const nameOf = ({ kind, serial }: Unit): string => `${kind} ${serial}`

async function continueStep(round: Round, unit: Unit, phase: RollOutPhase): Promise<boolean> {
  return phase === 'installing' ? install(round, unit) : evacuate(round, unit)
}

/** Empties a sled. Repeating it after a restart of the server does nothing more. */
async function evacuate(round: Round, unit: Unit): Promise<boolean> {
  const { row, now } = round
  const state = await maintenanceOf(round, unit.id)
  if (state === 'empty') {
    await change(round, { phase: 'installing', phaseSince: now, waitsFor: null })
    return true
  }
  if (state === 'evacuating') return waitFor(round, `the instances of ${nameOf(unit)} to move to other sleds`)
  if (state === undefined && row.pausedSince !== null) {
    // The operator who has paused the update has the sled back.
    await change(round, { ...noStep, waitsFor: null })
    return true
  }
  if (state !== undefined && row.waitsFor !== null)
    return waitFor(
      round,
      `the instances of ${nameOf(unit)} that cannot be moved: move or stop them, then resume`,
    )
  const begun = await ask(round, 'POST', unit.id)
  const waits = begun.status < 300 ? null : `the maintenance of ${nameOf(unit)} to begin: ${begun.message}`
  return waitFor(round, waits)
}

/** Between two steps. */
const noStep = { unitKind: null, unitId: null, phase: null, phaseSince: null, hasMaintenance: 0 }

async function install(round: Round, unit: Unit): Promise<boolean> {
  const { world, goal, row, now } = round
  const left = pendingOn(unit, goal.artifacts, goal.version)
  for (const { id, kind } of left)
    await world.sleds
      .install(id, { version: goal.version, hash: goal.artifacts.get(kind) ?? '' })
      .catch((error: unknown) => {
        if (!(error instanceof SledUnreachable)) throw error
      })
  const isBack =
    unit.missingSince === null && unit.components.every(({ missingSince }) => missingSince === null)
  if (left.length > 0 || !isBack) {
    const isLate = now - (row.phaseSince ?? now) > restartMs
    return waitFor(
      round,
      `${nameOf(unit)} to ${isLate ? 'come back: it has failed to' : 'restart'} with release ${goal.version}`,
    )
  }
  if (row.hasMaintenance === 1) {
    const ended = await ask(round, 'DELETE', unit.id)
    if (ended.status >= 300)
      return waitFor(round, `the maintenance of ${nameOf(unit)} to end: ${ended.message}`)
  }
  await change(round, { ...noStep, waitsFor: null })
  return beginStep({ ...round, row: { ...row, ...noStep, waitsFor: null } })
}

/** The state of the maintenance of a sled; undefined if it is in none. */
async function maintenanceOf(round: Round, sledId: string): Promise<string | undefined> {
  const { json } = await ask(round, 'GET', sledId)
  const { maintenance } = json as { maintenance?: { state: string } | null }
  return maintenance?.state
}

interface Answered {
  status: number
  json: object
  message: string
}

/** Asks for the maintenance of a sled in the name of the administrator who has set the target. */
async function ask(
  { world, askAs, row, now }: Round,
  method: 'GET' | 'POST' | 'DELETE',
  sledId: string,
): Promise<Answered> {
  const [person] = await world.engine.transaction('read', (tx) => actorsOf({ tx, now }, [row.userId]))
  if (!person)
    return { status: 401, json: {}, message: 'its administrator no longer exists: resume the update' }
  const actor: Actor = { ...person.actor, sessionId: '', authMethod: null }
  const path = `/v1/system/hardware/sleds/${sledId}`
  const url = method === 'GET' ? path : `${path}/maintenance`
  // Instances that cannot be moved are not stopped.
  const body = method === 'POST' ? '{"stop_unmovable":false}' : ''
  const answer = await askAs(actor, { method, url, headers: { host: 'purlin' }, body })
  const json = (answer.body ? JSON.parse(answer.body) : {}) as { message?: string }
  return { status: answer.status, json, message: json.message ?? '' }
}
