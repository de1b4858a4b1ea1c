import type { ManualClock } from '../manual-clock.ts'
import type { SimulatedSleds } from '../simulation.ts'
import type { SledHarness } from './suite-harness.ts'

/** A harness of simulated sleds on a manual clock. */
export const simulatedHarness = (sleds: SimulatedSleds, clock: ManualClock): SledHarness => ({
  driver: sleds,
  advance: (ms) => clock.advance(ms),
  maxWaitMs: 6000,
  guestShutdown: (id) => sleds.guestShutdown(id),
  crash: (id, reason) => sleds.crash(id, reason),
  forget: (id) => sleds.forget(id),
  loseSled: (sledId) => sleds.loseSled(sledId),
  restoreSled: (sledId) => sleds.restoreSled(sledId),
  print: (id, bytes) => sleds.print(id, bytes),
  externalIps: (nicId) => sleds.externalIps(nicId),
  carries: (nicId, packet) => sleds.carries(nicId, packet),
  admits: (nicId, packet) => sleds.admits(nicId, packet),
  restartNetworks: (sledId) => sleds.restartNetworks(sledId),
  close: () => {},
})
