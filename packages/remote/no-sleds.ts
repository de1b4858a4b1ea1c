/** The driver of what has no sled. */
import { noHardware, SledUnreachable, SwitchUnreachable, type SledDriver } from '@purlin/core/ports'

/** Drives no sled: its calls fail for the given reason, or have nothing. */
export function noSleds(why: string): SledDriver {
  const elsewhere = () => Promise.reject(new SledUnreachable(why))
  const noSwitches = () => Promise.reject(new SwitchUnreachable(why))
  return {
    keepsBytes: () => false,
    switches: { configure: noSwitches, version: noSwitches, status: noSwitches },
    hosts: () => Promise.resolve([]),
    hold: elsewhere,
    hardware: () => Promise.resolve(structuredClone(noHardware)),
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
    openDisplay: elsewhere,
  }
}
