/** The hosts that this server reaches. Requests about those that only another one reaches are refused. */
import type { World } from '#/context.ts'
import { fault } from '#/faults.ts'
import { hostLeasesOf } from './host-leases.ts'
import { joinedHosts } from './hosts.ts'

/** Gives the driver the hosts that have joined. */
export async function reachHosts({ sleds, engine }: World): Promise<void> {
  if (!sleds.setJoined) return
  const joined = await engine.transaction('read', joinedHosts)
  if (joined) sleds.setJoined(joined)
}

/**
 * Throws 503 if the hosts are inside of servers and another one has the sled, or all hardware if none is named. Any server
 * reaches hosts that are separate processes.
 */
export function requireReach(world: World, sledId?: string): void {
  if (!world.hasHostsInside) return
  const leases = hostLeasesOf(world)
  if (sledId !== undefined && world.sleds.isInside?.(sledId) === false) return
  const isHere = sledId === undefined ? leases.has('hardware') : leases.holds(sledId)
  if (!isHere) throw fault.unavailable('the hardware is with another server: send the request there')
}
