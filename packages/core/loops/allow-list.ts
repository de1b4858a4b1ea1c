/** The source addresses that this server accepts requests from. */
import { clientAddress, contains, parseNet, type Network } from '@purlin/contract/rules/network/ip'
import { ownRecord } from '#/audit/own-records.ts'
import type { World } from '#/context.ts'
import { insertRow } from '#/db/prepared.ts'
import { edgeIn, networksOf, storeList } from '#/db/rows/edge.ts'
import { restoreAllowList } from '#/resources/networking/edge.ts'
import { keep, rollBackInTime } from '#/resources/networking/unconfirmed.ts'
import type { Loop } from './loop.ts'

// Changes wake the loop on every server; this is for those that a command makes.
const everyMs = 60_000

/** The allow list as this server knows it. */
export interface AllowList {
  /** True if requests from an address are accepted. A text that is no address is, if all addresses are. */
  allows(remote: string): boolean
  /** Is called when the list has changed. */
  onChange(listener: () => void): void
  /** Reads the list again. */
  read(): Promise<void>
}

/** Reads the list. While the database is away, the last one counts. */
export async function openAllowList({ engine }: Pick<World, 'engine'>): Promise<AllowList> {
  let known: string | null = null
  let networks: Network[] | null = null
  const listeners: (() => void)[] = []
  const read = async () => {
    const row = await engine.transaction('read', edgeIn)
    if (row.allowedIps === known) return
    known = row.allowedIps
    networks =
      networksOf(row)
        ?.map(parseNet)
        .filter((net) => net !== undefined) ?? null
    for (const listener of listeners) listener()
  }
  await read()
  return {
    read,
    onChange: (listener) => void listeners.push(listener),
    allows(remote) {
      if (!networks) return true
      const client = clientAddress(remote)
      return client !== undefined && networks.some((net) => contains(net, client))
    },
  }
}

/** Keeps the list up to date, and rolls back one that was not confirmed in time. */
export const keepAllowList = (world: World, list: AllowList): Loop => ({
  name: 'allowList',
  async round() {
    const next = await rollBackInTime(world, 'allowList', { restore: restoreAllowList })
    await list.read()
    return Math.min(next, world.clock.now() + everyMs)
  },
})

/** Accepts requests from any address again: servers that run do so within a minute. */
export async function liftAllowList(world: Pick<World, 'engine' | 'ids' | 'clock'>): Promise<void> {
  await world.engine.transaction('write', async (tx) => {
    await storeList(tx, null, world.clock.now())
    await keep(tx, 'allowList')
    const deed = { operation: 'networking_allow_list_lift', by: 'npm run allow-any' }
    await insertRow(tx, 'auditPending', ownRecord(world, deed))
  })
}
