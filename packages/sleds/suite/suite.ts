import { describe, expect, it } from 'vitest'
import { consoleRules } from './suite-console.ts'
import { displayRules } from './suite-display.ts'
import { lifecycleRules } from './suite-lifecycle.ts'
import { failureRules } from './suite-failures.ts'
import { layerRules } from './suite-layers.ts'
import { migrationRules } from './suite-migration.ts'
import { networkRules } from './suite-networks.ts'
import { omits } from '../testing/skips.ts'
import { sampleRules } from './suite-samples.ts'
import { shutdownRules } from './suite-shutdown.ts'
import type { Rule, SledHarness } from './suite-harness.ts'

export type { SledHarness } from './suite-harness.ts'

/** Rules that a driver does not follow yet, by title, each with the reason. */
export type Skipped = Readonly<Record<string, string>>

const rulesOf =
  (open: () => Promise<SledHarness>, omitted: ReadonlySet<string> = new Set()): Rule =>
  (title, body) =>
    it.skipIf(omitted.has(title))(title, async () => {
      const harness = await open()
      try {
        await body(harness)
      } finally {
        await harness.close()
      }
    })

/** Those of machines that move. */
export function migrationSuite(name: string, open: () => Promise<SledHarness>): void {
  describe(`${name}: machines that move`, () => migrationRules(rulesOf(open)))
}

/**
 * The tests that every sled driver must pass. The time limit of a test is a minute, for drivers that work in real
 * time.
 */
export function sledSuite(name: string, open: () => Promise<SledHarness>, skipped: Skipped = {}): void {
  // The file that calls this is the one whose tests are left out.
  const omitted = new Set(Object.keys(skipped).filter((title) => omits(skipped[title])))
  describe(`${name}: sled driver`, () => {
    const rule = rulesOf(open, omitted)

    rule('a rack has sleds with capacity and with unique ids and serials', async ({ driver }) => {
      const sleds = (await driver.hardware()).sleds
      expect(sleds.length).toBeGreaterThan(0)
      expect(new Set(sleds.map((sled) => sled.id)).size).toBe(sleds.length)
      expect(new Set(sleds.map((sled) => sled.serial)).size).toBe(sleds.length)
      for (const sled of sleds) {
        expect(sled.usableHardwareThreads).toBeGreaterThan(0)
        expect(sled.reservoirSize).toBeGreaterThan(0)
        expect(sled.reservoirSize).toBeLessThanOrEqual(sled.usablePhysicalRam)
      }
    })
    rule('a rack has something to say about each sled that answers', async ({ driver }) => {
      const serials = new Set<string>()
      for await (const { serial, name, content } of driver.diagnostics()) {
        let length = 0
        for await (const piece of content) length += piece.length
        expect(length, `${name} of ${serial}`).toBeGreaterThan(0)
        serials.add(serial)
      }
      for (const { serial } of (await driver.hardware()).sleds) expect(serials).toContain(serial)
    })
    describe('machines', () => {
      lifecycleRules(rule)
      shutdownRules(rule)
      layerRules(rule)
      migrationRules(rule)
    })
    describe('networks', () => {
      networkRules(rule)
    })
    describe('failures and reports', () => {
      failureRules(rule)
    })
    // Each opens a separate driver, and waits for its next samples most of the time.
    describe.concurrent('measurements', () => {
      sampleRules(rule)
    })
    describe('serial console', () => {
      consoleRules(rule)
    })
    describe('screen', () => {
      displayRules(rule)
    })
  })
}
