/** Conditions of the hardware that need the attention of operators: parts that are missing, failing, or not up to date. */
import { mostOfEach, type Finding } from '../alerts/finding.ts'
import type { Tx } from '#/db/tables.ts'
import { isRestarting, rollOutIn } from '../updates/roll-out.ts'
import { sledsInService } from './sled-rows.ts'

/** All conditions of the hardware that hold now. */
export async function findingsOfHardware(tx: Tx): Promise<Finding[]> {
  return [
    ...(await missingHardware(tx)),
    ...(await failingDisks(tx)),
    ...(await brokenLinks(tx)),
    ...(await refusingSwitches(tx)),
  ]
}

async function missingHardware(tx: Tx): Promise<Finding[]> {
  // It comes back with its new release; if it does not, the update stalls.
  const rollOut = await rollOutIn(tx)
  const sleds = await sledsInService(tx)
    .selectAll()
    .where('missingSince', 'is not', null)
    .orderBy('id')
    .limit(mostOfEach)
    .execute()
  const switches = await tx
    .selectFrom('switch')
    .selectAll()
    .where('missingSince', 'is not', null)
    .orderBy('id')
    .limit(mostOfEach)
    .execute()
  const disks = await tx
    .selectFrom('physicalDisk')
    .innerJoin('sled', 'sled.id', 'physicalDisk.sledId')
    .select(['physicalDisk.id', 'physicalDisk.serial', 'physicalDisk.missingSince', 'sled.serial as sled'])
    .where('physicalDisk.missingSince', 'is not', null)
    .where('physicalDisk.policy', '=', 'in_service')
    // Those of a missing sled are missing with it.
    .where('sled.missingSince', 'is', null)
    .orderBy('physicalDisk.id')
    .limit(mostOfEach)
    .execute()
  return [
    ...sleds
      .filter(({ id }) => !isRestarting(rollOut, id))
      .map(({ id, serial, missingSince }) => ({
        kind: 'sled_missing' as const,
        severity: 'critical' as const,
        subject: { type: 'sled', id, name: serial },
        since: missingSince ?? 0,
        text: `Sled ${serial} does not answer.`,
        advice:
          'Check its power and its network. Its instances are started elsewhere only once it is expunged.',
      })),
    ...switches
      .filter(({ id }) => !isRestarting(rollOut, id))
      .map(({ id, location, missingSince }) => ({
        kind: 'switch_missing' as const,
        severity: 'critical' as const,
        subject: { type: 'switch', id, name: location },
        since: missingSince ?? 0,
        text: `The switch ${location} does not answer.`,
        advice: 'Check its power. Until it is back, one path out of the rack is missing.',
      })),
    ...disks.map(({ id, serial, sled, missingSince }) => ({
      kind: 'disk_missing' as const,
      severity: 'warning' as const,
      subject: { type: 'physical-disk', id, name: serial },
      since: missingSince ?? 0,
      text: `Disk ${serial} of sled ${sled} is missing.`,
      advice: 'Put it back, or expunge it.',
    })),
  ]
}

async function failingDisks(tx: Tx): Promise<Finding[]> {
  const rows = await tx
    .selectFrom('physicalDisk')
    .innerJoin('sled', 'sled.id', 'physicalDisk.sledId')
    .select(['physicalDisk.id', 'physicalDisk.serial', 'physicalDisk.health', 'physicalDisk.healthReason'])
    .select(['physicalDisk.unhealthySince', 'sled.serial as sled'])
    .where('physicalDisk.health', '!=', 'ok')
    .where('physicalDisk.policy', '=', 'in_service')
    .where('physicalDisk.missingSince', 'is', null)
    .orderBy('physicalDisk.id')
    .limit(mostOfEach)
    .execute()
  return rows.map(({ id, serial, health, healthReason, unhealthySince, sled }) => ({
    kind: 'disk_failing',
    severity: health === 'failed' ? 'critical' : 'warning',
    subject: { type: 'physical-disk', id, name: serial },
    since: unhealthySince ?? 0,
    text: `Disk ${serial} of sled ${sled} ${health === 'failed' ? 'has failed' : 'is failing'}${healthReason === null ? '' : `: ${healthReason}`}.`,
    advice: 'Replace it. Begin maintenance of the sled first, so that no instance depends on it.',
  }))
}

async function brokenLinks(tx: Tx): Promise<Finding[]> {
  const rows = await tx
    .selectFrom('switchPort')
    .selectAll()
    .where('linkState', '=', 'down')
    // One that was never up is not used.
    .where('linkSince', 'is not', null)
    .where('missingSince', 'is', null)
    .orderBy('id')
    .limit(mostOfEach)
    .execute()
  return rows.map(({ id, name, switchLocation, switchId, linkSince }) => ({
    kind: 'link_down',
    severity: 'warning',
    subject: { type: 'switch-port', id, name, within: switchId },
    since: linkSince ?? 0,
    text: `The link of port ${name} on ${switchLocation} is down.`,
    advice: 'Check the cable, the module and the device at the other end.',
  }))
}

/** Switches that do not take their settings. Missing ones get them when they are back. */
async function refusingSwitches(tx: Tx): Promise<Finding[]> {
  const rows = await tx
    .selectFrom('switch')
    .selectAll()
    .where('pushFailure', 'is not', null)
    .where('missingSince', 'is', null)
    .orderBy('id')
    .limit(mostOfEach)
    .execute()
  return rows.map(({ id, location, pushFailure, timePushFailed }) => ({
    kind: 'push_failing',
    severity: 'warning',
    subject: { type: 'switch', id, name: location },
    since: timePushFailed ?? 0,
    text: `The switch ${location} does not have its current settings. ${(pushFailure ?? '').replace(/\.?$/, '.')}`,
    advice:
      'Until it has, it works with the last ones that it took. They are pushed again until it takes them: mend the cause, or change the settings back.',
  }))
}
