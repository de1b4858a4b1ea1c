/** The ports of switches: their state, the settings that are applied to them, and how they are discovered. */
import { permit } from '#/auth/resolve.ts'
import type { Ctx, Family } from '#/context.ts'
import { noteTarget } from '#/audit/touched.ts'
import { mapPage, pageById } from '#/db/lists/pages.ts'
import type { SwitchPortTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import type { Transceiver } from '#/ports.ts'
import { updateNamed } from '../kind/rows.ts'
import { namedRow } from '../networking/named-row.ts'
import { checkedLldp, layoutIn } from '../networking/port-layout.ts'
import { changeSwitches } from '../networking/changed-switches.ts'
import { refuseSecondAsn, refuseSharedAddresses } from '../networking/ports-in-use.ts'
import { dateOf, seenOf } from './details.ts'

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
export async function resolvePort(ctx: Ctx, { params, query }: PortName): Promise<SwitchPortTable> {
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
  noteTarget(ctx.unit, 'switch', { id: row.switchId, name: `${switchLocation} ${row.name}` })
  return row
}

type Settings = `networkingSwitchPort${'ApplySettings' | 'ClearSettings'}`
type Lldp = `networkingSwitchPortLldpConfig${'View' | 'Update'}`
export const ports: Family<`networkingSwitchPort${'List' | 'Status'}` | Settings | Lldp> = {
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

  async networkingSwitchPortApplySettings(ctx, { body, params, query: { confirmWithin, ...query } }) {
    permit(ctx)
    await changeSwitches(ctx, confirmWithin)
    await applySettings(ctx, { params, query }, body.portSettings)
  },

  async networkingSwitchPortClearSettings(ctx, { params, query: { confirmWithin, ...query } }) {
    permit(ctx)
    await changeSwitches(ctx, confirmWithin)
    await clearSettings(ctx, { params, query })
  },

  async networkingSwitchPortLldpConfigView(ctx, input) {
    return (await discoveryOf(ctx, input)).lldp
  },

  async networkingSwitchPortLldpConfigUpdate(ctx, { body, ...input }) {
    const { settings, layout, lldp } = await discoveryOf(ctx, input)
    if (body.id.toLowerCase() !== lldp.id)
      throw fault.invalid(`id (${lldp.id}) doesn't match provided config (${body.id})`)
    const links = layout.links.map((link) =>
      link.lldp.id === lldp.id ? { ...link, lldp: checkedLldp({ ...body, id: lldp.id }) } : link,
    )
    const layoutJson = JSON.stringify({ ...layout, links })
    await changeSwitches(ctx)
    await updateNamed(ctx, ['switchPortSettings', settings], { layoutJson, timeModified: ctx.now })
  },
}

/** Applies settings to a port. Throws 400, 403, 404, 409. */
export async function applySettings(ctx: Ctx, at: PortName, nameOrId: string): Promise<void> {
  const port = await resolvePort(ctx, at)
  const settings = await namedRow(ctx, 'switchPortSettings', nameOrId)
  if (!settings) throw fault.invalid(`port settings not found: "${nameOrId}"`)
  noteTarget(ctx.unit, 'switchPortSettings', settings)
  await refuseSharedAddresses(ctx.tx, settings, port)
  await assign(ctx, port, settings.id)
  await refuseSecondAsn(ctx.tx, port)
}

/** Clears the settings of a port. Throws 400, 403, 404. */
export async function clearSettings(ctx: Ctx, at: PortName): Promise<void> {
  const port = await resolvePort(ctx, at)
  const former = port.portSettingsId
  const settings = former === null ? undefined : await namedRow(ctx, 'switchPortSettings', former)
  if (settings) noteTarget(ctx.unit, 'switchPortSettings', settings)
  await assign(ctx, port, null)
}

async function assign({ tx }: Ctx, port: SwitchPortTable, portSettingsId: string | null): Promise<void> {
  await tx.updateTable('switchPort').set({ portSettingsId }).where('id', '=', port.id).execute()
}

/** How the first link of a port is discovered: the settings, and the part of them. Throws 400, 403, 404. */
async function discoveryOf(ctx: Ctx, input: PortName) {
  const { portSettingsId } = await resolvePort(ctx, input)
  const settings =
    portSettingsId === null ? undefined : await namedRow(ctx, 'switchPortSettings', portSettingsId)
  const layout = settings && layoutIn(settings)
  const lldp = layout?.links[0]?.lldp
  if (!settings || !layout || !lldp) throw fault.invalidValue('settings', 'switch port not yet configured')
  return { settings, layout, lldp }
}
