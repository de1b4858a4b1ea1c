/**
 * Pushes the settings of switches. Changes wake the loop. Every half minute all switches are checked, so that changes
 * missed by a crash and switches that have lost power get their settings too. A failure is kept in the row of the switch.
 * A change that was not confirmed in time is rolled back first.
 */
import { kinds } from '@purlin/contract/rules/kinds'
import type { Touched, World } from '#/context.ts'
import { rollBackInTime } from '#/resources/networking/unconfirmed.ts'
import type { SwitchTable, Tx } from '#/db/tables.ts'
import { SwitchRefused, SwitchUnreachable, type SwitchConfiguration } from '#/ports.ts'
import { configurationOf } from '#/resources/networking/switch-configuration.ts'
import { changedSwitches } from '#/resources/networking/changed-switches.ts'
import { restoreSwitches } from '#/resources/networking/switch-snapshot.ts'
import type { Loop } from '../loop.ts'

const everyMs = 30_000
/** A push that has failed is repeated after this time, and then after twice as long each time. */
const retryMs = 2_000
/** Characters of a reason. */
const longest = 500

export const pushSwitches = (world: World): Loop => ({
  name: 'switches',
  async round() {
    const { engine, clock, sleds } = world
    const rollBackAt = await rollBackInTime(world, 'switches', {
      restore: restoreSwitches,
      changed: touchedBy,
    })
    const here = (await sleds.hardware()).switches
    const times: number[] = []
    for (const { id } of here) times.push(await pushOne(world, id))
    const missing = await engine.transaction('read', (tx) => switchesBesides(tx, here))
    for (const one of missing) await noteFailure(world, one, 'The switch does not answer.')
    return Math.min(clock.now() + everyMs, rollBackAt, ...times)
  },
})

/** The switches that a roll-back changes, as the audit log names them. */
const touchedBy = async (tx: Tx, formerJson: string): Promise<Touched[]> =>
  (await changedSwitches(tx, formerJson)).map(({ id, name }) => ({
    type: kinds.switch.type,
    id,
    before: name,
    after: name,
  }))

/** Switches that have not answered, and whose failure is not noted yet. */
const switchesBesides = async (tx: Tx, here: readonly { id: string }[]): Promise<SwitchTable[]> => {
  const rows = await tx.selectFrom('switch').selectAll().where('pushFailure', 'is', null).execute()
  return rows.filter(({ id }) => !here.some((one) => one.id === id))
}

/** Pushes the settings of a switch if it does not have them. Returns when to look at it again. */
async function pushOne(world: World, switchId: string): Promise<number> {
  const { engine, clock, sleds } = world
  const before = await engine.transaction('read', (tx) => targetOf(world, tx, switchId))
  // A switch that was found a moment ago has no row yet.
  if (!before) return clock.now() + retryMs
  const { row, isPushed } = before
  const held = await orFailure(sleds.switches.version(switchId))
  if (typeof held === 'string') return noteFailure(world, row, held)
  if (isPushed && held === row.pushVersion && row.pushFailure === null) return Infinity
  const configuration = await engine.transaction('write', (tx) => newTarget(world, tx, { switchId, held }))
  if (!configuration) return clock.now() + retryMs
  const failure = await orFailure(sleds.switches.configure(switchId, configuration))
  if (typeof failure === 'string') return noteFailure(world, row, failure)
  const done = { timePushed: clock.now(), pushFailure: null, timePushFailed: null, pushFailures: 0 }
  await engine.transaction('write', (tx) => update(tx, switchId, done))
  return Infinity
}

/** The settings that a switch is to have, and whether they have a version already. */
async function targetOf({ passwords }: World, tx: Tx, switchId: string) {
  const row = await tx.selectFrom('switch').selectAll().where('id', '=', switchId).executeTakeFirst()
  if (!row) return undefined
  const configuration = await configurationOf(tx, row)
  const digest = passwords.fingerprint(JSON.stringify(configuration))
  return { row, configuration, digest, isPushed: row.pushDigest === digest }
}

/** The same with its version: another one if the settings are others, and one above that of the switch in any case. */
async function newTarget(
  world: World,
  tx: Tx,
  { switchId, held }: { switchId: string; held: number | null },
): Promise<SwitchConfiguration | undefined> {
  const target = await targetOf(world, tx, switchId)
  if (!target) return undefined
  const { pushVersion } = target.row
  const [last, ofSwitch] = [pushVersion ?? 0, held ?? 0]
  const version = target.isPushed && ofSwitch <= last ? last : Math.max(last, ofSwitch) + 1
  await update(tx, switchId, { pushVersion: version, pushDigest: target.digest })
  return { ...target.configuration, version }
}

/** Returns when to try again. */
async function noteFailure({ engine, clock }: World, row: SwitchTable, reason: string): Promise<number> {
  const failures = (row.pushFailures ?? 0) + 1
  const failed = {
    pushFailure: reason.slice(0, longest),
    timePushFailed: row.timePushFailed ?? clock.now(),
    pushFailures: failures,
  }
  await engine.transaction('write', (tx) => update(tx, row.id, failed))
  return clock.now() + Math.min(everyMs, retryMs * 2 ** Math.min(failures - 1, 10))
}

const update = (tx: Tx, id: string, values: Partial<SwitchTable>): Promise<unknown> =>
  tx.updateTable('switch').set(values).where('id', '=', id).execute()

/** The answer of a call, or the reason of its failure, for people. */
const orFailure = <T>(answer: Promise<T>): Promise<T | string> =>
  answer.catch((error: unknown) => {
    if (error instanceof SwitchUnreachable) return 'The switch does not answer.'
    if (error instanceof SwitchRefused) return `The switch refuses the settings: ${error.message}`
    throw error
  })
