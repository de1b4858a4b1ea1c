import { describe, expect, it } from 'vitest'
import { makeRack, stableUuid } from './rack.ts'

const GiB = 1024 ** 3

describe('simulated rack', () => {
  it('has four sleds of 128 threads, 1 TiB of memory and 800 GiB for instances', () => {
    const rack = makeRack()
    expect(rack).toHaveLength(4)
    for (const sled of rack) {
      expect(sled).toMatchObject({
        usableHardwareThreads: 128,
        usablePhysicalRam: 1024 * GiB,
        reservoirSize: 800 * GiB,
      })
    }
  })

  it('mixes CPU families', () => {
    expect(makeRack().map((sled) => sled.cpuFamily)).toEqual([
      'amd_milan',
      'amd_turin',
      'amd_milan',
      'amd_turin',
    ])
  })

  it('can have another number of sleds and other sizes', () => {
    const rack = makeRack({
      sleds: 3,
      usableHardwareThreads: 8,
      reservoirSize: 16 * GiB,
      cpuFamilies: ['amd_turin_dense'],
    })
    expect(rack).toHaveLength(3)
    expect(rack[2]).toMatchObject({
      usableHardwareThreads: 8,
      reservoirSize: 16 * GiB,
      cpuFamily: 'amd_turin_dense',
    })
    expect(makeRack({ sleds: 0 })).toEqual([])
  })

  it('gives every sled a unique serial and id, and all the same rack', () => {
    const rack = makeRack({ sleds: 32 })
    expect(new Set(rack.map((sled) => sled.serial)).size).toBe(32)
    expect(new Set(rack.map((sled) => sled.id)).size).toBe(32)
    expect(new Set(rack.map((sled) => sled.rackId)).size).toBe(1)
  })

  it('keeps the ids of its sleds over a restart and if the number grows', () => {
    expect(makeRack({ sleds: 8 }).slice(0, 4)).toEqual(makeRack())
  })

  it('shares no id with another rack', () => {
    const here = makeRack().map((sled) => sled.id)
    const there = makeRack({ serial: 'PRR26110004' }).map((sled) => sled.id)
    expect(here.filter((id) => there.includes(id))).toEqual([])
  })

  it('creates ids that are UUIDs of version 8', () => {
    for (const text of ['', 'a', 'sled 1', 'sled 2', 'é']) {
      expect(stableUuid(text)).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      )
    }
  })
})
