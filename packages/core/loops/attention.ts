/** Keeps the list of conditions that need the attention of operators. */
import type { World } from '#/context.ts'
import { findings, keepFindings } from '#/resources/hardware/attention.ts'
import type { Loop } from './loop.ts'

const everyMs = 60_000

/** The loop: a round every minute, and after each report of the hardware. */
export const watchAttention = ({ engine, clock, log }: World): Loop => ({
  name: 'attention',
  rests: true,
  async round() {
    const now = clock.now()
    const found = await engine.transaction('read', (tx) => findings(tx, now))
    const begun = await engine.transaction('write', (tx) => keepFindings(tx, found, now))
    for (const { kind, severity, text } of begun) log.warn({ kind, severity }, text)
    return clock.now() + everyMs
  },
})
