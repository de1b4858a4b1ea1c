/** Racks, sleds, disks, switches and their ports. Requests change only what operators decide about them. */
import type { Family } from '#/context.ts'
import type { SwitchTable } from '#/db/tables.ts'
import { plain } from '../kind/plain.ts'
import { dateOf, fromHundredths, seenOf, timesOf } from './details.ts'
import { disks } from './disks.ts'
import { expunging } from './expunge.ts'
import { maintenance } from './maintenance/maintenance.ts'
import { ports } from './ports.ts'
import { sleds } from './sleds.ts'

const racks = plain('rack', {
  view: ({ id, serial, ...row }) => ({ id, serial, ...timesOf(row), ...seenOf(row) }),
})

const switches = plain('switch', {
  view: ({ id, rackId, part, serial, revision, location, vendor, model, ...row }: SwitchTable) => ({
    id,
    rackId,
    baseboard: { part, serial, revision },
    location,
    vendor,
    model,
    temperature: fromHundredths(row.temperature),
    push: {
      timePushed: dateOf(row.timePushed),
      failure: row.pushFailure,
      failingSince: dateOf(row.timePushFailed),
    },
    ...timesOf(row),
    ...seenOf(row),
  }),
})

export const hardware: Family<
  | keyof typeof racks.handlers
  | keyof typeof switches.handlers
  | keyof typeof sleds
  | keyof typeof maintenance
  | keyof typeof expunging
  | keyof typeof disks
  | keyof typeof ports
> = {
  ...racks.handlers,
  ...sleds,
  ...maintenance,
  ...expunging,
  ...disks,
  ...switches.handlers,
  ...ports,
}
