import { describe, expect, it } from 'vitest'
import { manualClock } from '../manual-clock.ts'
import { createSimulatedSleds } from '../sim.ts'
import { exampleConfiguration, examplePeer, peerOf } from '../suite/switch-harness.ts'
import { switchSuite, type SwitchHarness } from '../suite/switch-suite.ts'

async function open(): Promise<SwitchHarness & { timers(): number }> {
  const clock = manualClock()
  const sleds = createSimulatedSleds({ clock })
  const { switches, ports } = await sleds.hardware()
  const [first] = switches
  const [one, two] = ports.filter(({ switchId, state }) => switchId === first?.id && state === 'up')
  if (!first || !one || !two) throw new Error('the rack has no switch with two links')
  const idOf = (name: string) => (name === one.name ? one.id : two.id)
  return {
    driver: sleds.switches,
    switchId: first.id,
    ports: [one.name, two.name],
    advance: (ms) => clock.advance(ms),
    now: () => clock.now(),
    setLink: (port, state) => sleds.setLink(idOf(port), state),
    setRouter: (address, setup) => sleds.switches.setRouter(address, setup),
    refuse: (reason) => sleds.switches.refuse(first.id, reason),
    loseSwitch: () => sleds.pull(first.id),
    restoreSwitch: () => sleds.plug(first.id),
    restart: () => sleds.switches.restart(first.id),
    answersPings: () => sleds.switches.answersPings(first.id),
    close: () => {},
    timers: () => clock.pending(),
  }
}

switchSuite('simulated', open)

describe('simulated switches', () => {
  it('need no timers: what was due happens when they are asked, also after a year', async () => {
    const h = await open()
    const peers = [examplePeer()]
    await h.driver.configure(h.switchId, exampleConfiguration(h, 1, { link: { peers } }))
    expect(h.timers()).toBe(0)
    await h.advance(365 * 86_400_000)
    const { state, messages } = await peerOf(h)
    expect([state, messages.length]).toEqual(['established', 64])
    expect(h.now() - (messages.at(-1)?.at ?? 0)).toBeLessThan(2000)
  })
})
