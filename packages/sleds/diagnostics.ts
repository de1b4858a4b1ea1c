/** The files that hosts and switches of a simulated rack add to a support bundle: their state at that moment. */
import { SledUnreachable, type DiagnosticFile, type Hardware, type SledInfo } from '@purlin/core/ports'
import { utf8 } from './bytes.ts'

interface Around {
  /** The hardware that answers. */
  hardware: Hardware
  /** All hosts. */
  sleds: readonly SledInfo[]
  /** The machines and the networks of a host. */
  on: (sledId: string) => { machines: readonly object[]; networks: readonly object[] }
}

/** A few files for each host and switch. */
export async function* diagnosticsOf({ hardware, sleds, on }: Around): AsyncGenerator<DiagnosticFile> {
  const { disks, ports, components } = hardware
  for (const { id, serial } of sleds) {
    const sled = hardware.sleds.find((one) => one.id === id)
    const file = fileOf(serial, sled !== undefined)
    yield file('host.json', () => sled)
    yield file('disks.json', () => disks.filter(({ sledId }) => sledId === id))
    yield file('components.json', () => components.filter(({ sledId }) => sledId === id))
    yield file('machines.json', () => on(id).machines)
    yield file('networks.json', () => on(id).networks)
  }
  for (const one of hardware.switches) {
    const file = fileOf(one.serial, true)
    yield file('switch.json', () => one)
    yield file('ports.json', () => ports.filter(({ switchId }) => switchId === one.id))
    yield file('components.json', () => components.filter(({ switchId }) => switchId === one.id))
  }
}

/** Makes the files of a host or switch. */
const fileOf =
  (serial: string, answers: boolean) =>
  (name: string, read: () => unknown): DiagnosticFile => ({
    serial,
    name,
    content: jsonOf(serial, answers, read),
  })

async function* jsonOf(serial: string, answers: boolean, read: () => unknown): AsyncGenerator<Uint8Array> {
  if (!answers) throw new SledUnreachable(`${serial} does not answer`)
  yield await Promise.resolve(utf8(`${JSON.stringify(read(), null, 2)}\n`))
}
