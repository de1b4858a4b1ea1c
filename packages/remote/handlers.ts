/** The calls of the wire, carried out by a driver. */
import { SledUnreachable, type Hardware, type SledDriver } from '@purlin/core/ports'
import type { AnswerOf, CallName, InputOf } from './calls.ts'
import { batchToWire } from './schemas/samples.ts'

export type Handlers = { [N in CallName]: (input: InputOf<N>) => Promise<AnswerOf<N>> }

const done = async (work: Promise<void>): Promise<Record<string, never>> => {
  await work
  return {}
}

/** The report of a driver, with the version of this program. */
const withVersion = ({ sleds, ...report }: Hardware, version: string): Hardware => ({
  ...report,
  sleds: sleds.map((sled) => ({ ...sled, version })),
})

export const handlersOf = (driver: SledDriver, version: string): Handlers => ({
  hardware: async () => withVersion(await driver.hardware(), version),
  addSled: (board) => driver.addSled(board),
  install: ({ componentId, ...release }) => done(driver.install(componentId, release)),
  dropSled: ({ sledId }) => done(driver.dropSled(sledId)),
  hold: ({ sledId, epoch }) => done(driver.hold(sledId, epoch)),
  ensure: ({ id, spec }) => done(driver.ensure(id, spec)),
  remove: ({ id, sledId, boot }) => done(driver.remove(id, sledId, boot)),
  shutDown: ({ id, sledId, boot }) => done(driver.shutDown(id, sledId, boot)),
  setLayers: ({ id, sledId, to }) => done(driver.setLayers(id, sledId, to)),
  migrate: ({ id, migration }) => done(driver.migrate(id, migration)),
  receive: async ({ id, migration }) => {
    if (!driver.receive) throw new SledUnreachable('this host takes no machines of others')
    return driver.receive(id, migration)
  },
  setNetwork: ({ sledId, network }) => done(driver.setNetwork(sledId, network)),
  networks: ({ sledId }) => driver.networks(sledId),
  machines: ({ sledId }) => driver.machines(sledId),
  inspect: ({ id, sledId }) => driver.inspect(id, sledId),
  samples: async ({ sledId, since }) => batchToWire(await driver.samples(sledId, since)),
  readConsole: async ({ id, sledId, from, last, max }) => {
    const range = from === null ? { last: last ?? 0, max } : { from, max }
    const kept = await driver.readConsole(id, sledId, range)
    if (kept === null) return { kept: 'none' }
    return kept === 'dropped' ? { kept } : { kept: 'chunk', ...kept }
  },
  configureSwitch: ({ switchId, configuration }) => done(driver.switches.configure(switchId, configuration)),
  switchVersion: ({ switchId }) => driver.switches.version(switchId),
  switchStatus: ({ switchId }) => driver.switches.status(switchId),
})
