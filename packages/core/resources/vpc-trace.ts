/** What the network of a VPC does with packets, from the model that sleds are given. */
import type { VpcTraceRequest } from '@purlin/contract/operations/vpc-trace'
import type { Out } from '@purlin/contract/schema'
import { resolve, resolveToRead } from '#/auth/resolve.ts'
import type { Ctx, Family } from '#/context.ts'
import type { VpcTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { readVpc, type VpcRows } from '#/network/rows.ts'
import { assumeRunning, trace, type TraceEnd } from '#/network/trace.ts'

type End = Out<typeof VpcTraceRequest>['source']

export const vpcTraces: Family<'vpcTrace'> = {
  vpcTrace: {
    async withoutTransaction(request, { params, query, body }) {
      const { rows, source, destination } = await request.transaction('read', async (ctx) => {
        const vpc = await resolve(ctx, 'vpc', { ...params, ...query })
        const read = await rowsOf(ctx, vpc)
        const ends = {
          source: await endOf(ctx, read, body.source),
          destination: await endOf(ctx, read, body.destination),
        }
        return { rows: body.assumeRunning ? assumeRunning(read) : read, ...ends }
      })
      return trace(rows, {
        source,
        destination,
        protocol: body.protocol,
        sourceAddress: body.sourceAddress ?? null,
      })
    },
  },
}

async function rowsOf({ tx }: Pick<Ctx, 'tx'>, { id }: VpcTable): Promise<VpcRows> {
  const rows = await readVpc(tx, id)
  if (!rows) throw fault.notFound('vpc', id)
  return rows
}

/** The interface or address that a request names. Throws 400 for an instance without an interface in the VPC, 404. */
async function endOf(ctx: Ctx, { vpc, nics }: VpcRows, { type, value }: End): Promise<TraceEnd> {
  switch (type) {
    case 'ip':
      return { ip: value }
    case 'interface': {
      const id = value.toLowerCase()
      if (!nics.some((nic) => nic.id === id)) throw fault.notFound('instance-network-interface', value)
      return { interfaceId: id }
    }
    case 'instance': {
      const within = { project: vpc.projectId }
      const { id, name } = await resolveToRead(ctx, 'instance', { instance: value, within })
      const own = nics.filter(({ instanceId }) => instanceId === id)
      const [nic] = own.toSorted((a, b) => b.isPrimary - a.isPrimary || a.slot - b.slot)
      if (!nic) throw fault.invalid(`instance "${name}" has no network interface in VPC "${vpc.name}"`)
      return { interfaceId: nic.id }
    }
  }
}
