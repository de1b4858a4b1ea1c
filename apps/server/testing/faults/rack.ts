/**
 * Loaded into a server before its own code (`node --import`): its rack has room for a thousand instances, and loses the hosts
 * that the file PURLIN_LOST_HOSTS names, as long as it does. Failed deliveries are attempted again soon.
 */
import { readFileSync } from 'node:fs'
import { retryAfterMs } from '@purlin/contract/rules/alerts/classes'
import { usualRack } from '@purlin/sleds/rack'
import { createSimulatedSleds } from '@purlin/sleds/sim'
import type { SimulatedSleds } from '@purlin/sleds/simulation'

/** The hosts without power, by their ids, each with the machines that it ran. */
export type LostHosts = Record<string, string[]>

Object.assign(usualRack, { sleds: 10 })
Object.assign(retryAfterMs, [3_000, 15_000])

const clock = { now: () => Date.now(), after: () => () => undefined }
const simulation = Object.getPrototypeOf(createSimulatedSleds({ clock })) as SimulatedSleds
const hardware = Reflect.get(simulation, 'hardware')
const file = process.env['PURLIN_LOST_HOSTS'] ?? ''
let rack: SimulatedSleds | undefined
const lost = new Set<string>()

function obey(sleds: SimulatedSleds): void {
  const named = JSON.parse(readFileSync(file, 'utf8')) as LostHosts
  for (const [id, machines] of Object.entries(named)) {
    if (lost.has(id)) continue
    lost.add(id)
    sleds.loseSled(id)
    sleds.restartNetworks(id)
    for (const machine of machines) sleds.forget(machine)
  }
  for (const id of [...lost].filter((one) => !(one in named))) {
    lost.delete(id)
    sleds.restoreSled(id)
  }
}

/** The rack is known once the server asks for its hardware, which it does before anything else. */
function meet(sleds: SimulatedSleds): void {
  if (rack) return
  rack = sleds
  obey(sleds)
  setInterval(() => obey(sleds), 100).unref()
}

Object.assign(simulation, {
  hardware(this: SimulatedSleds) {
    meet(this)
    return hardware.call(this)
  },
})
