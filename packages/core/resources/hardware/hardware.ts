/** Racks, sleds, disks, switches and their ports. Requests change only what operators decide about them. */
import type { Ctx, Family } from '#/context.ts'
import { permit } from '#/auth/resolve.ts'
import { mapPage, pageById } from '#/db/lists/pages.ts'
import type { SwitchPortTable, SwitchTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import type { Transceiver } from '#/ports.ts'
import { plain } from '../kind/plain.ts'
import { dateOf, fromHundredths, seenOf, timesOf } from './details.ts'
import { disks } from './disks.ts'
import { expunging } from './expunge.ts'
import { maintenance } from './maintenance.ts'
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
    ...timesOf(row),
    ...seenOf(row),
  }),
})

const linkOf = ({ linkState, speed, linkSince }: SwitchPortTable) => ({
  state: linkState,
  speed,
  since: dateOf(linkSince),
})

const monitorsOf = ({ transceiverJson }: SwitchPortTable): Transceiver | null =>
  transceiverJson === null ? null : (JSON.parse(transceiverJson) as Transceiver)

const portView = (row: SwitchPortTable) => ({
  id: row.id,
  rackId: row.rackId,
  switchId: row.switchId,
  switchLocation: row.switchLocation,
  portName: row.name,
  portSettingsId: row.portSettingsId,
  link: linkOf(row),
  monitors: monitorsOf(row),
  ...seenOf(row),
})

/** The names of a port in requests. */
interface PortName {
  params: { port: string }
  query: { rackId: string; switchLocation: string }
}

/** Throws 400 for what cannot be a switch, 403, 404. */
async function resolvePort(ctx: Ctx, { params, query }: PortName): Promise<SwitchPortTable> {
  permit(ctx)
  const { switchLocation } = query
  if (switchLocation !== 'switch0' && switchLocation !== 'switch1')
    throw fault.invalid(`invalid switch name ${switchLocation}: it must be switch0 or switch1`)
  const row = await ctx.tx
    .selectFrom('switchPort')
    .selectAll()
    .where('rackId', '=', query.rackId.toLowerCase())
    .where('switchLocation', '=', switchLocation)
    .where('name', '=', params.port)
    .executeTakeFirst()
  if (!row) throw fault.notFound('switch-port', params.port)
  return row
}

type OfPorts = `networkingSwitchPort${'List' | 'Status' | 'ApplySettings' | 'ClearSettings'}`
export const hardware: Family<
  | OfPorts
  | keyof typeof racks.handlers
  | keyof typeof switches.handlers
  | keyof typeof sleds
  | keyof typeof maintenance
  | keyof typeof expunging
  | keyof typeof disks
> = {
  ...racks.handlers,
  ...sleds,
  ...maintenance,
  ...expunging,
  ...disks,
  ...switches.handlers,

  async networkingSwitchPortList(ctx, { query: { switchPortId, ...query } }) {
    permit(ctx)
    const all = ctx.tx.selectFrom('switchPort')
    const rows = switchPortId === undefined ? all : all.where('id', '=', switchPortId.toLowerCase())
    return mapPage(await pageById(ctx, query, { rows, table: 'switchPort', holder: '' }), portView)
  },

  async networkingSwitchPortStatus(ctx, input) {
    const row = await resolvePort(ctx, input)
    return { link: { state: row.linkState, speed: row.speed }, monitors: monitorsOf(row) }
  },

  async networkingSwitchPortApplySettings(ctx, { body, ...input }) {
    await resolvePort(ctx, input)
    // There are none yet that could be applied.
    throw fault.invalid(`port settings not found: "${body.portSettings}"`)
  },

  async networkingSwitchPortClearSettings(ctx, input) {
    const port = await resolvePort(ctx, input)
    await ctx.tx.updateTable('switchPort').set({ portSettingsId: null }).where('id', '=', port.id).execute()
  },
}
