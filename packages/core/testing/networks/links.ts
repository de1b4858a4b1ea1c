/** Links of switch ports. */
import type { TestWorld } from '../world.ts'

const noticedMs = 1000

/** The link of a port goes down or comes back, and the loops notice. */
export async function setLink(w: TestWorld, state: 'up' | 'down', nth = 0): Promise<void> {
  const { items } = await w.as('fleetAdmin').networkingSwitchPortList({ query: {} })
  const ports = items.filter((one) => one.link?.since != null)
  w.sleds.setLink(ports[nth]?.id ?? '', state)
  await w.settle()
  await w.advance(noticedMs)
}
