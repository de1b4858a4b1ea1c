import type { NetworkInterface, VmSpec } from '@purlin/core/ports'

const MiB = 1024 ** 2
const GiB = 1024 ** 3

/** A line of the boot log. `stamped` lines begin with a kernel timestamp. */
interface BootLine {
  text: string
  stamped?: boolean
}

/** An interface as the sled knows it: undefined until its network has arrived. */
type Nic = Pick<NetworkInterface, 'mac' | 'ip'> | undefined

const kernel = (text: string): BootLine => ({ text, stamped: true })
const done = (text: string): BootLine => ({ text: `[  OK  ] ${text}` })

function firmwareLines({ disks, bootDiskId }: VmSpec): BootLine[] {
  const boot = disks.find((disk) => disk.id === bootDiskId) ?? disks[0]
  const source = boot ? `disk "${boot.name}" in slot ${boot.slot}` : 'the network: no disk found'
  return [
    { text: 'Purlin firmware: power on, self-test passed' },
    { text: `Purlin firmware: booting from ${source}` },
  ]
}

function kernelLines({ ncpus, memory, disks }: VmSpec, nics: readonly Nic[]): BootLine[] {
  return [
    kernel('kernel: decompressed, taking over from firmware'),
    kernel(`cpu: ${ncpus} virtual ${ncpus === 1 ? 'processor' : 'processors'} online`),
    kernel(`memory: ${Math.round(memory / MiB)} MiB usable`),
    kernel('clock: paravirtual source, stable'),
    kernel('pci: bus 0 scanned'),
    ...disks.map((disk) =>
      kernel(`nvme${disk.slot}: ${(disk.size / GiB).toFixed(1)} GiB, serial ${disk.name.slice(0, 20)}`),
    ),
    ...nics.map((nic, i) => kernel(`virtio_net net${i}: ${nic ? `${nic.mac}, link up` : 'link down'}`)),
    kernel('serial: ttyS0 is the console'),
    kernel('root: file system clean, mounted read-write'),
    kernel('init: started as process 1'),
  ]
}

function serviceLines({ hostname, sshPublicKeys }: VmSpec, nics: readonly Nic[]): BootLine[] {
  const keys = `${sshPublicKeys.length} SSH public ${sshPublicKeys.length === 1 ? 'key' : 'keys'}`
  return [
    done(`Host name set to ${hostname}`),
    done('Configuration drive read'),
    ...nics.map((nic, i) => done(`Network net${i} has ${nic ? nic.ip : 'no address'}`)),
    done(`Installed ${keys} for the first user`),
    done('Secure shell server listening'),
    done('System is up'),
  ]
}

/** The lines that the guest prints while it boots, without line ends. How many they are depends on the spec alone. */
export const bootLines = (spec: VmSpec, nics: readonly Nic[]): BootLine[] => [
  ...firmwareLines(spec),
  ...kernelLines(spec, nics),
  ...serviceLines(spec, nics),
]

/** A line as printed `elapsed` milliseconds after power on; `n` is its index in the log. */
export function printed({ text, stamped }: BootLine, elapsed: number, n: number): string {
  if (!stamped) return `${text}\r\n`
  // The clock has whole milliseconds; the last three digits are made up.
  const micros = elapsed * 1000 + ((n * 7919) % 1000)
  return `[${(micros / 1_000_000).toFixed(6).padStart(12)}] ${text}\r\n`
}

/** The login prompt after the boot log. */
export const greeting = ({ hostname }: VmSpec): string =>
  `\r\nWelcome to ${hostname} (console ttyS0)\r\n\r\n${hostname} login: `
