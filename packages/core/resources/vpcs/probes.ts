/**
 * Probes: ends of a project's network on sleds that operators choose. What is pushed to the sled makes them: a probe has
 * no state. Requests about them need a role on the project and on the fleet: decision 0071.
 */
import { formatIp, fromKey } from '@purlin/contract/rules/network/ip'
import { resolve, resolveToRead, resolveWithin } from '#/auth/resolve.ts'
import type { Ctx, Family } from '#/context.ts'
import { together } from '#/concurrency/together.ts'
import { mapPage, pageByName } from '#/db/lists/pages.ts'
import type { ProbeTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { formatMac } from '#/network/mac.ts'
import { transitIpsIn } from '#/network/references.ts'
import { addEphemeral, releaseExternalIps } from '../addresses/external-ips.ts'
import { deleteRow, identityView, insertNamed, newIdentity, newTags, tagsView } from '../kind/rows.ts'
import { createProbeNic, deleteNics } from './network-interfaces.ts'
import { defaultSubnet, defaultVpc } from './vpcs.ts'

const kind = 'probe'

export const probes: Family<`probe${'List' | 'Create' | 'View' | 'Delete'}`> = {
  async probeList(ctx, { query }) {
    const { id } = await resolve(ctx, 'project', { project: query.project })
    const rows = ctx.tx.selectFrom(kind).where('projectId', '=', id)
    const page = await pageByName(ctx, query, { rows, table: kind, holder: id })
    const view = await viewsOf(ctx.tx, page.items)
    return mapPage(page, view)
  },

  async probeCreate(ctx, { query, body }) {
    const project = await resolve(ctx, 'project', query)
    const sledId = await sledFor(ctx.tx, body.sled.toLowerCase())
    const at = { vpc: defaultVpc.name, subnet: defaultSubnet }
    const subnet = await resolveToRead(ctx, 'vpcSubnet', { ...at, project: project.id })
    const row = await insertNamed(ctx, kind, {
      ...newIdentity(ctx, body),
      ...newTags(body),
      projectId: project.id,
      sledId,
      subnetId: subnet.id,
    })
    await createProbeNic(ctx, row, subnet)
    await addEphemeral(ctx, { ...row, siloId: project.siloId }, body.ipPool)
    return { ...identityView(row), sled: sledId }
  },

  async probeView(ctx, { params, query }) {
    const row = await find(ctx, params, query)
    return (await viewsOf(ctx.tx, [row]))(row)
  },

  async probeDelete(ctx, { params, query }) {
    await removeProbe(ctx, await find(ctx, params, query))
  },
}

async function find(ctx: Ctx, { probe }: { probe: string }, query: { project: string }): Promise<ProbeTable> {
  const project = await resolve(ctx, 'project', query)
  return resolveWithin(ctx, [kind, probe], project.id)
}

/** Deletes a probe and releases its addresses. */
export async function removeProbe(ctx: Ctx, row: ProbeTable): Promise<void> {
  await deleteNics(ctx, row.id)
  await releaseExternalIps(ctx, row.id)
  await deleteRow(kind)(ctx, row)
}

/** The id of a sled that a probe can be on: also one that takes no instances, to test it before. Throws 400, 404. */
async function sledFor(tx: Tx, id: string): Promise<string> {
  const sled = await tx
    .selectFrom('sled')
    .select(['policy', 'missingSince', 'maintenanceSince'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!sled) throw fault.notFound('sled', id)
  if (sled.policy === 'expunged')
    throw fault.invalid('the sled is out of service for good: choose another one')
  if (sled.missingSince !== null) throw fault.invalid('the sled does not answer: choose another one')
  if (sled.maintenanceSince !== null) throw fault.invalid('the sled is in maintenance: choose another one')
  return id
}

/** Makes the function that shows each of these probes. */
async function viewsOf(tx: Tx, rows: readonly ProbeTable[]) {
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return unknown
  const [nics, ips] = await together([
    tx
      .selectFrom('networkInterface')
      .innerJoin('vpc', 'vpc.id', 'networkInterface.vpcId')
      .innerJoin('vpcSubnet', 'vpcSubnet.id', 'networkInterface.subnetId')
      .selectAll('networkInterface')
      .select(['vpc.vni', 'vpcSubnet.ipv4Block'])
      .where('networkInterface.instanceId', 'in', ids)
      .execute(),
    tx.selectFrom('externalIp').selectAll().where('instanceId', 'in', ids).execute(),
  ])
  const nicOf = new Map(nics.map((nic) => [nic.instanceId, nic]))
  const ipsOf = Map.groupBy(ips, ({ instanceId }) => instanceId)
  return ({ id, name, tagsJson, sledId }: Pick<ProbeTable, 'id' | 'name' | 'tagsJson' | 'sledId'>) => {
    const nic = nicOf.get(id)
    if (!nic) return unknown()
    return {
      id,
      name,
      ...tagsView({ tagsJson }),
      sled: sledId,
      interface: {
        id: nic.id,
        kind: { type: 'probe' as const, id },
        name: nic.name,
        ip: formatIp(fromKey(nic.ipKey)),
        mac: formatMac(nic.mac),
        subnet: nic.ipv4Block,
        vni: nic.vni,
        primary: nic.isPrimary === 1,
        slot: nic.slot,
        transitIps: transitIpsIn(nic),
      },
      externalIps: (ipsOf.get(id) ?? []).map(({ ipKey, firstPort, lastPort, kind: type }) => ({
        ip: formatIp(fromKey(ipKey)),
        firstPort,
        lastPort,
        kind: type,
      })),
    }
  }
}

const unknown = (): never => {
  throw new Error('a probe has an interface')
}

/** The probes on a sled, with the names of what they are in. */
export const probesOn = (tx: Tx, sledId: string) =>
  tx
    .selectFrom(kind)
    .innerJoin('project', 'project.id', 'probe.projectId')
    .innerJoin('silo', 'silo.id', 'project.siloId')
    .selectAll(kind)
    .select(['project.name as projectName', 'silo.name as siloName'])
    .where('probe.sledId', '=', sledId)
    .orderBy('probe.id')
    .execute()
