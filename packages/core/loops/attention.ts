/** Keeps the list of conditions that need the attention of operators, and the history of pools that fill up. */
import type { World } from '#/context.ts'
import { evaluate, keepFindings } from '#/resources/alerts/attention.ts'
import { samplePools } from '#/resources/addresses/pool-trends.ts'
import type { Loop } from './loop.ts'

const everyMs = 60_000

/** The loop: a round every minute, and after each report of the hardware. Calls `onAlerts` when there are new ones. */
export const watchAttention = (world: World, onAlerts: () => void): Loop => ({
  name: 'attention',
  rests: true,
  async round() {
    const { engine, clock, log } = world
    await samplePools(world)
    const now = clock.now()
    // Not in the transaction that writes: it reads so much that most requests would conflict with it.
    const evaluation = await engine.transaction('read', (tx) => evaluate(tx, now))
    const begun = await engine.transaction('write', (tx) => keepFindings({ tx, world, now }, evaluation))
    if (!begun) return clock.now()
    if (begun.length > 0) onAlerts()
    for (const { kind, severity, text } of begun) log.warn({ kind, severity }, text)
    return clock.now() + everyMs
  },
})
