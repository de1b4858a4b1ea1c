/** The command line of QEMU for a machine. */
import type { VmDisk, VmNic, VmSpec } from '@purlin/core/ports'
import { balloon } from '../measures/memory.ts'
import type { BlockNode } from '../layers/layers.ts'
import type { UefiFiles } from './firmware.ts'

/** How QEMU runs the code of guests: `kvm` by the processor, `tcg` by emulation. */
export type QemuAccelerator = 'kvm' | 'tcg'

/** A kernel that is started without firmware. */
export interface DirectKernel {
  kernel: string
  initrd: string
  commandLine: string
}

export interface MachineSettings {
  /** The id of the machine, which is its UUID in the guest as well. */
  id: string
  spec: VmSpec
  accelerator: QemuAccelerator
  /**
   * `outbound`: what QEMU's user network reaches, which includes services of this host unless its box has an uplink. `none`:
   * nothing. Otherwise the devices of the host for its interfaces, in the order of `spec.nics`.
   */
  network: 'outbound' | 'none' | readonly string[]
  /** The layers of each disk, the lowest first, in the order of `spec.disks`. */
  disks: readonly (readonly BlockNode[])[]
  /** The folder with the data for cloud-init. */
  seed: string
  sockets: { qmp: string; serial: string; screen: string; memory: string; sending: string }
  /** Whether its box lets QEMU make no connection, so that it is given one to send its memory by. */
  isGiven?: boolean
  consoleLog: string
  kernel?: DirectKernel | undefined
  /** Undefined for BIOS. */
  uefi?: UefiFiles | undefined
  /** Whether another host sends it, instead of a start. */
  arrives?: boolean
}

/**
 * A screen that firmware and every guest can draw on, and a pointer that is where the client's is. Their addresses are above those
 * of the root ports, which have what they had without them.
 */
const screenDevices = [
  '-device',
  'VGA,id=screen,bus=pcie.0,addr=0x1e',
  '-device',
  'qemu-xhci,id=usb,bus=pcie.0,addr=0x1d',
  '-device',
  'usb-tablet,bus=usb.0',
]

/** A guest with its driver says how much memory it uses. None is taken from it. */
const memoryDevice = ['-device', `virtio-balloon-pci,id=${balloon},bus=pcie.0,addr=0x1c`]

const sandbox = 'on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny'

/** The id of the device of a disk. */
export const diskDevice = (slot: number): string => `disk${slot}`

/** True if QEMU calls the device of a disk so: by its id, or by its path. */
export const isDiskDevice = (name: string | undefined, slot: number): boolean =>
  name === diskDevice(slot) || name?.includes(`/${diskDevice(slot)}/`) === true

/** In values of options, a comma begins the next option unless it is doubled. */
const escaped = (value: string): string => value.replaceAll(',', ',,')

/** The option with the socket of QMP. No other process has the same. */
export const qmpOption = (socket: string): string =>
  `socket,id=qmp,path=${escaped(socket)},server=on,wait=off`

/** All arguments after the name of the program. */
export function argumentsOf(settings: MachineSettings): string[] {
  const { id, spec, accelerator, sockets, consoleLog, kernel, uefi, arrives, isGiven } = settings
  const memory = Math.ceil(spec.memory / 1024)
  return [
    '-name',
    `guest=${escaped(id)}`,
    '-uuid',
    id,
    '-machine',
    `${escaped(spec.machineType ?? 'q35')},vmport=off,dump-guest-core=off${uefi ? ',pflash0=code,pflash1=variables' : ''}`,
    '-accel',
    accelerator === 'kvm' ? 'kvm' : 'tcg,thread=multi',
    '-cpu',
    cpuOf(spec, accelerator),
    '-smp',
    `${spec.ncpus},sockets=1,cores=${spec.ncpus},threads=1`,
    '-m',
    `size=${memory}k`,
    '-nodefaults',
    '-no-user-config',
    '-display',
    'none',
    // A client cannot end the others.
    '-vnc',
    `unix:${escaped(sockets.screen)},share=force-shared`,
    '-sandbox',
    sandbox,
    // QEMU stays until the driver has seen that the guest has shut down.
    '-no-shutdown',
    '-chardev',
    qmpOption(sockets.qmp),
    '-mon',
    'chardev=qmp,mode=control',
    ...(isGiven !== true
      ? []
      : [
          '-chardev',
          `socket,id=sending,path=${escaped(sockets.sending)},server=on,wait=off`,
          '-mon',
          'chardev=sending,mode=control',
        ]),
    '-chardev',
    `socket,id=serial,path=${escaped(sockets.serial)},server=on,wait=off,logfile=${escaped(consoleLog)},logappend=on`,
    '-serial',
    'chardev:serial',
    '-device',
    'pvpanic',
    ...(uefi ? firmwareNodes(uefi) : []),
    ...screenDevices,
    ...memoryDevice,
    ...devicesOf(settings),
    // It stands still until the other host has let it go.
    ...(arrives !== true ? [] : ['-incoming', `unix:${sockets.memory}`, '-S']),
    ...(kernel ? ['-kernel', kernel.kernel, '-initrd', kernel.initrd, '-append', kernel.commandLine] : []),
  ]
}

function cpuOf({ cpuPlatform }: VmSpec, accelerator: QemuAccelerator): string {
  if (accelerator === 'tcg') return 'max'
  switch (cpuPlatform) {
    case 'amd_milan':
    case 'amd_turin':
      // The newest model that QEMU 7.2 has.
      return 'EPYC-Milan'
    case 'host':
      return 'host'
  }
}

/** Each device has a root port, in the order of slots: the guest finds it at the same address in every boot. */
function devicesOf({ spec, disks, seed, network }: MachineSettings): string[] {
  let port = 0
  const attached = (device: string): string[] => {
    const id = `port${port}`
    const number = ++port
    return [
      '-device',
      `pcie-root-port,id=${id},chassis=${number},slot=${number}`,
      '-device',
      `${device},bus=${id}`,
    ]
  }
  return [
    ...spec.disks.flatMap((disk, i) => [
      // Each by itself: Linux gives a program 128 KiB for one argument, and 2 MiB for all.
      ...(disks[i] ?? []).flatMap((node) => ['-blockdev', JSON.stringify(node)]),
      ...attached(diskOptions(disk, bootIndex(spec, disk, i), disks[i]?.at(-1)?.['node-name'] ?? '')),
    ]),
    ...spec.nics.flatMap((nic, i) => ['-netdev', backendOf(nic, network, i), ...attached(nicOptions(nic))]),
    '-blockdev',
    JSON.stringify(seedNode(seed)),
    ...attached('virtio-blk-pci,drive=seed,id=seed,serial=cidata'),
  ]
}

/** Index 0 is that of a kernel that is started without firmware. */
const bootIndex = ({ bootDiskId }: VmSpec, { id }: VmDisk, i: number): number =>
  id === bootDiskId ? 1 : i + 2

/** The serial number of a virtio disk has room for 20 characters. */
const diskOptions = ({ id, slot, blockSize }: VmDisk, index: number, node: string): string =>
  [
    'virtio-blk-pci',
    `drive=${node}`,
    `id=${diskDevice(slot)}`,
    `serial=${escaped(id.replaceAll('-', '').slice(0, 20))}`,
    `logical_block_size=${blockSize}`,
    `physical_block_size=${Math.max(blockSize, 4096)}`,
    `bootindex=${index}`,
    // The guest sees a failed write, instead of a machine that stands still.
    'werror=report',
    'rerror=report',
  ].join(',')

/** The end of an interface on the host. The device of the host exists, and is owned by this user. */
function backendOf({ slot }: VmNic, network: MachineSettings['network'], i: number): string {
  if (network === 'outbound') return `user,id=net${slot},ipv6=off`
  if (network === 'none') return `hubport,id=net${slot},hubid=${slot}`
  return `tap,id=net${slot},ifname=${escaped(network[i] ?? '')},script=no,downscript=no`
}
const nicOptions = ({ slot, mac }: VmNic) =>
  `virtio-net-pci,netdev=net${slot},id=nic${slot},mac=${escaped(mac.toLowerCase())},romfile=`

const firmwareNodes = ({ code, variables }: UefiFiles): string[] =>
  Object.entries({ code, variables }).flatMap(([name, filename]) => [
    '-blockdev',
    JSON.stringify({
      driver: 'raw',
      'node-name': name,
      'read-only': name === 'code',
      file: { driver: 'file', filename },
    }),
  ])

/** A FAT file system made of a folder while it is read. */
const seedNode = (dir: string) => ({
  driver: 'raw',
  'node-name': 'seed',
  'read-only': true,
  file: { driver: 'vvfat', dir, label: 'CIDATA', rw: false, 'read-only': true },
})
