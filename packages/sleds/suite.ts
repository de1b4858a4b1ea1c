import { describe, expect, it } from 'vitest'
import { consoleRules } from './suite-console.ts'
import { lifeRules } from './suite-life.ts'
import { mishapRules } from './suite-mishaps.ts'
import { sampleRules } from './suite-samples.ts'
import type { Rule, SledHarness } from './suite-world.ts'

export type { SledHarness } from './suite-world.ts'

const rulesOf =
  (open: () => Promise<SledHarness>): Rule =>
  (title, body) =>
    it(title, async () => {
      const harness = await open()
      try {
        await body(harness)
      } finally {
        await harness.close()
      }
    })

/**
 * What every sled driver must do, as tests. The time limit of one test is a minute, for drivers that
 * work in real time.
 */
export function sledSuite(name: string, open: () => Promise<SledHarness>): void {
  describe(`${name}: sled driver`, { timeout: 60_000 }, () => {
    const rule = rulesOf(open)

    rule('a rack has sleds with capacity, ids and serials of their own', async ({ driver }) => {
      const sleds = await driver.sleds()
      expect(sleds.length).toBeGreaterThan(0)
      expect(new Set(sleds.map((sled) => sled.id)).size).toBe(sleds.length)
      expect(new Set(sleds.map((sled) => sled.serial)).size).toBe(sleds.length)
      for (const sled of sleds) {
        expect(sled.usableHardwareThreads).toBeGreaterThan(0)
        expect(sled.reservoirSize).toBeGreaterThan(0)
        expect(sled.reservoirSize).toBeLessThanOrEqual(sled.usablePhysicalRam)
      }
    })
    describe('machines', () => {
      lifeRules(rule)
    })
    describe('mishaps and reports', () => {
      mishapRules(rule)
    })
    describe('measurements', () => {
      sampleRules(rule)
    })
    describe('serial console', () => {
      consoleRules(rule)
    })
  })
}
