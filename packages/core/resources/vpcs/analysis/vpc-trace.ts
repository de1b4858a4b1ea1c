/** Traces packets through the network of a VPC, by the same model as the networks of sleds. */
import type { VpcTraceRequest } from '@purlin/contract/operations/vpcs/vpc-trace'
import type { Out } from '@purlin/contract/schema'
import { resolve, resolveToRead } from '#/auth/resolve.ts'
import type { Ctx, Family } from '#/context.ts'
import { fault } from '#/faults.ts'
import { networkInSlices } from '#/network/model.ts'
import type { VpcRows } from '#/network/rows.ts'
import { endsOf, traceIn, type TraceEnd } from '#/network/trace.ts'
import { inQueue } from '#/resources/metrics/query-queues.ts'
import { changedRows, networkRows } from '../vpc-changes.ts'

type End = Out<typeof VpcTraceRequest>['source']

export const vpcTraces: Family<'vpcTrace'> = {
  vpcTrace: {
    withoutTransaction: (request, { params, query, body }) =>
      inQueue(request, async () => {
        const { rows, source, destination } = await request.transaction('read', async (ctx) => {
          const vpc = await resolve(ctx, 'vpc', { ...params, ...query })
          const read = await networkRows(ctx, vpc.id)
          const ends = {
            source: await endOf(ctx, read, body.source),
            destination: await endOf(ctx, read, body.destination),
          }
          const rows = body.change ? changedRows(ctx, read, body.change) : read
          return { rows, ...ends }
        })
        const { assumeRunning, protocol, sourceAddress = null } = body
        const question = { source, destination, protocol, sourceAddress }
        const network = await networkInSlices(rows, { assumeRunning, between: endsOf(question) })
        return traceIn(rows, network, question)
      }),
  },
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
