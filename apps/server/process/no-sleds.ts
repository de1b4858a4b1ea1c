/** The sleds of a server that leaves the instances to another one: there are none here. */
import { noHardware, SledUnreachable, SwitchUnreachable, type SledDriver } from '@purlin/core/ports'

const elsewhere = () => Promise.reject(new SledUnreachable('another server has the rack'))

const noSwitches = () => Promise.reject(new SwitchUnreachable('another server has the rack'))

export const noSleds: SledDriver = {
  keepsBytes: () => false,
  switches: { configure: noSwitches, version: noSwitches, status: noSwitches },
  hosts: () => Promise.resolve([]),
  hold: elsewhere,
  hardware: () => Promise.resolve(noHardware),
  watchHardware: () => () => undefined,
  addSled: elsewhere,
  install: elsewhere,
  diagnostics: async function* () {},
  dropSled: elsewhere,
  ensure: elsewhere,
  remove: elsewhere,
  shutDown: elsewhere,
  setLayers: elsewhere,
  migrate: elsewhere,
  setNetwork: elsewhere,
  networks: elsewhere,
  inspect: elsewhere,
  machines: elsewhere,
  samples: elsewhere,
  watch: () => () => undefined,
  readConsole: elsewhere,
  openConsole: elsewhere,
}
