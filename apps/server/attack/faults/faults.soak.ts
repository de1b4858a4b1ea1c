import { randomInt } from 'node:crypto'
import { violations } from '@purlin/core/testing/state'
import { afterAll, expect, it } from 'vitest'
import { killAll } from '@purlin/server/testing/children'
import {
  missingMachines,
  untilDelivered,
  untilSettled,
  wrongDeliveries,
} from '@purlin/server/testing/faults/checks'
import { startFailed, startLoad, type Load } from '@purlin/server/testing/faults/load'
import {
  errorsOf,
  readNow,
  serverNames,
  startSite,
  until,
  type Site,
} from '@purlin/server/testing/faults/site'
import { createRandom, faultsOf, type Fault } from '@purlin/server/testing/faults/faults'

const faults = Number(process.env['PURLIN_FAULTS'] ?? 100)
const instances = Number(process.env['PURLIN_FAULT_INSTANCES'] ?? 1000)
const seed = Number(process.env['PURLIN_PROPERTY_SEED'] ?? randomInt(2 ** 31))
/** A fault that lasts ends while one of the next ones begins, or when it has begun: at most that many later. */
const atOnce = 6

let site: Site | undefined
afterAll(async () => {
  killAll()
  await site?.stop()
})

it(`${faults} faults under load: no acknowledged write and no alert is lost, none reaches another receiver, and all instances settle`, async () => {
  const random = createRandom(seed)
  console.log(`seed ${seed}: repeat with npm run soak -- --attack --seed ${seed} --only 'faults under load'`)
  const here = (site = await startSite(instances))
  await untilSettled(here)
  const load = startLoad(here, instances)
  const begin = faultsOf(here, random)
  const lasting: Fault[] = []
  for (let n = 0; n < faults; n++) {
    await untilAcknowledged(load, Math.floor(random() * 20))
    const ending = lasting.length > random() * atOnce ? lasting.shift() : undefined
    const isAtOnce = random() < 0.5
    const [fault] = await Promise.all([begin[n % begin.length]?.(), isAtOnce ? ending?.end() : undefined])
    if (!isAtOnce) await ending?.end()
    if (fault) lasting.push(fault)
    console.log(`${new Date().toISOString()} fault ${n + 1}: ${fault?.name}`)
    await startFailed(here)
    expect(await readNow(here, violations)).toEqual([])
    expect(load.wrong()).toEqual([])
  }
  for (const fault of lasting) await fault.end()
  await untilAcknowledged(load, 20)
  await load.stop()
  expect(load.wrong()).toEqual([])
  await untilSettled(here)
  expect(await missingMachines(here)).toEqual([])
  await untilDelivered(here)
  expect(await readNow(here, (tx) => wrongDeliveries(tx, here.receivers))).toEqual([])
  expect(await readNow(here, violations)).toEqual([])
  for (const { accepted, subscriptions, name } of here.receivers)
    console.log(`${name} (${subscriptions.join(', ')}): ${accepted.size} deliveries`)
  expect([...here.errors, ...serverNames.flatMap((name) => errorsOf(here.servers[name]))]).toEqual([])
})

/** Waits until each server has acknowledged more writes. */
async function untilAcknowledged(load: Load, more: number): Promise<void> {
  for (const name of serverNames) {
    const before = load.acknowledged(name)
    await until(`the server ${name} acknowledges`, () =>
      Promise.resolve(load.acknowledged(name) > before + more),
    )
  }
}
