/** The sleds of a server that has no host: it drives none. */
import { noHardware, SledUnreachable, SwitchUnreachable, type SledDriver } from '@purlin/core/ports'

const elsewhere = () => Promise.reject(new SledUnreachable('this server has no host'))

const noSwitches = () => Promise.reject(new SwitchUnreachable('this server has no host'))

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
