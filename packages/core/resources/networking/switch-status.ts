/** The states that switches report at the moment of a request. A switch that does not answer is left out. */
import { switchLocations, type SwitchLocation } from '@purlin/contract/rules/networking'
import { permit } from '#/auth/resolve.ts'
import type { Family, RequestContext } from '#/context.ts'
import { pageByKey } from '#/db/lists/pages.ts'
import { SwitchUnreachable, type NeighborInfo, type PeerStatus, type SwitchStatus } from '#/ports.ts'
import { requireReach } from '../hardware/reach.ts'
import { resolvePort } from '../hardware/ports.ts'

interface Reported extends SwitchStatus {
  switch: SwitchLocation
}

/** The reports of all switches, by their location. Throws 403, and 503 on a server that does not reach them. */
async function statuses(request: RequestContext): Promise<Reported[]> {
  const rows = await request.transaction('read', (ctx) => {
    permit(ctx)
    return ctx.tx.selectFrom('switch').select(['id', 'location']).orderBy('location').orderBy('id').execute()
  })
  const reports = await Promise.all(
    rows.map(async ({ id, location }) => {
      const at = switchLocations.find((one) => one === location)
      const status = at && (await statusOf(request, id))
      return status ? [{ switch: at, ...status }] : []
    }),
  )
  return reports.flat()
}

/** The report of a switch; null if it does not answer. Throws 503 on a server that does not reach it. */
async function statusOf({ world }: RequestContext, id: string): Promise<SwitchStatus | null> {
  requireReach(world)
  try {
    return await world.sleds.switches.status(id)
  } catch (error) {
    if (error instanceof SwitchUnreachable) return null
    throw error
  }
}

type Of<T> = T & { switch: SwitchLocation }
/** The sessions of an autonomous system, or of all. */
const peersIn = (reports: readonly Reported[], asn?: number): Of<PeerStatus>[] =>
  reports.flatMap(({ switch: at, peers }) =>
    peers
      .filter(({ localAsn }) => asn === undefined || localAsn === asn)
      .map((peer) => ({ ...peer, switch: at })),
  )

const isIpv4 = (network: string): boolean => !network.includes(':')

type Bgp = `networkingBgp${'Status' | 'Exported' | 'ImportedRoutesIpv4' | 'MessageHistory'}`
export const switchStatus: Family<Bgp | 'networkingBfdStatus' | 'networkingSwitchPortLldpNeighbors'> = {
  networkingBgpStatus: {
    async withoutTransaction(request) {
      const reports = await statuses(request)
      const now = request.world.clock.now()
      return peersIn(reports).map(
        ({ address, localAsn, remoteAsn, state, since, port, problem, ...one }) => ({
          addr: address,
          localAsn,
          remoteAsn: remoteAsn ?? 0,
          state,
          stateDurationMillis: Math.max(0, Math.round(now - since)),
          switch: one.switch,
          port,
          problem,
        }),
      )
    },
  },

  networkingBgpExported: {
    async withoutTransaction(request) {
      const exports = new Map<string, Set<string>>()
      for (const { address, exported } of peersIn(await statuses(request)))
        for (const network of exported.filter(isIpv4))
          exports.set(address, (exports.get(address) ?? new Set()).add(network))
      return { exports: Object.fromEntries([...exports].map(([address, all]) => [address, [...all]])) }
    },
  },

  networkingBgpImportedRoutesIpv4: {
    async withoutTransaction(request, { query }) {
      const peers = peersIn(await statuses(request), query.asn)
      return peers
        .flatMap(({ address, imported, ...one }) =>
          imported.filter(isIpv4).map((prefix) => ({ nexthop: address, prefix, switch: one.switch })),
        )
        .map((route, id) => ({ id, ...route }))
    },
  },

  networkingBgpMessageHistory: {
    async withoutTransaction(request, { query }) {
      const reports = await statuses(request)
      return {
        switchHistories: reports.map((report) => ({
          switch: report.switch,
          history: Object.fromEntries(
            peersIn([report], query.asn).map(({ address, messages }) => [
              address,
              messages.map(({ at, ...message }) => ({ time: new Date(at).toISOString(), ...message })),
            ]),
          ),
        })),
      }
    },
  },

  networkingBfdStatus: {
    async withoutTransaction(request) {
      const reports = await statuses(request)
      return reports.flatMap(({ bfd, ...report }) =>
        bfd.map(({ remote, ...session }) => ({ peer: remote, switch: report.switch, ...session })),
      )
    },
  },

  networkingSwitchPortLldpNeighbors: {
    async withoutTransaction(request, { params: { port, ...place }, query }) {
      const { switchId } = await request.transaction('read', (ctx) =>
        resolvePort(ctx, { params: { port }, query: place }),
      )
      const status = await statusOf(request, switchId)
      const items = (status?.neighbors ?? [])
        .filter((one) => one.port === port)
        .toSorted((a, b) => (a.localLink < b.localLink ? -1 : 1))
      return request.transaction('read', async (ctx) => {
        permit(ctx)
        const page = pageByKey(ctx, query, { items, keyOf: ({ localLink }) => localLink })
        return { ...page, items: page.items.map(neighborView) }
      })
    },
  },
}

const neighborView = ({
  localLink: _,
  port,
  managementIps,
  firstSeen,
  lastSeen,
  ...neighbor
}: NeighborInfo) => ({
  ...neighbor,
  localPort: port,
  managementIp: managementIps.map((ipAddr) => ({ addr: { ipAddr }, interfaceNum: { unknown: 0 } })),
  firstSeen: new Date(firstSeen),
  lastSeen: new Date(lastSeen),
})
