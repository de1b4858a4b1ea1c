/** The sleds of a server that leaves the instances to another one: there are none here. */
import { SledUnreachable, type SledDriver } from '@purlin/core/ports'

const elsewhere = () => Promise.reject(new SledUnreachable('another server has the rack'))

export const noSleds: SledDriver = {
  sleds: () => Promise.resolve([]),
  ensure: elsewhere,
  remove: elsewhere,
  setNetwork: elsewhere,
  networks: elsewhere,
  inspect: elsewhere,
  samples: elsewhere,
  watch: () => () => undefined,
  readConsole: elsewhere,
  openConsole: elsewhere,
}
