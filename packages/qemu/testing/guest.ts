/**
 * A small guest of Debian's kernel and BusyBox: a shell on the serial console, which obeys the power button. It is started by
 * its kernel, or by the firmware from a disk with a FAT file system.
 */
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { DirectKernel } from '../machine/arguments.ts'
import { builtOnce, unpack } from './debian.ts'
import { partitionTable } from './gpt.ts'

/** In the order in which they must be loaded. */
const modules = [
  'fs/fat/fat',
  'fs/fat/vfat',
  'fs/nls/nls_cp437',
  'fs/nls/nls_ascii',
  'fs/efivarfs/efivarfs',
  'drivers/virtio/virtio_ring',
  'drivers/virtio/virtio',
  'drivers/virtio/virtio_pci_legacy_dev',
  'drivers/virtio/virtio_pci_modern_dev',
  'drivers/virtio/virtio_pci',
  'drivers/block/virtio_blk',
  'drivers/virtio/virtio_balloon',
  'net/core/failover',
  'drivers/net/net_failover',
  'drivers/net/virtio_net',
  'drivers/acpi/button',
  'drivers/input/evdev',
].map((name) => `${name}.ko`)

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

const init = `#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin:/sbin
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
for m in ${modules.map(nameOf).join(' ')}; do insmod /lib/modules/$m; done
acpid
stty -echo </dev/ttyS0
echo guest-is-ready
while :; do setsid cttyhack sh </dev/ttyS0 >/dev/ttyS0 2>&1; done
`
const commandLine = 'console=ttyS0 quiet mitigations=off panic=1'
const loader = `SERIAL 0 115200
DEFAULT guest
LABEL guest
 KERNEL vmlinuz
 APPEND initrd=initrd.gz ${commandLine}
`
/** For the boot loader of UEFI. */
const entry = `linux /vmlinuz
initrd /initrd.gz
options ${commandLine}
`
/** Takes the settings that DHCP gives. */
const lease = `#!/bin/sh
[ "$1" = bound ] || exit 0
ip addr add $ip/$mask dev $interface
ip route add default via $router dev $interface
hostname $hostname
`
const powerOff = '#!/bin/sh\npoweroff -f\n'

/** Why tests with it are skipped where they cannot be downloaded. */
export const noGuest = 'the packages of the guest cannot be downloaded'

/** Builds the guest of Debian's packages, once; undefined where they cannot be downloaded. */
export const buildGuest = (): (DirectKernel & { disk: string; uefiDisk: string }) | undefined => {
  const folder = builtOnce('guest-6', build)
  return folder === undefined
    ? undefined
    : {
        kernel: join(folder, 'vmlinuz'),
        initrd: join(folder, 'initrd.gz'),
        disk: join(folder, 'disk.img'),
        uefiDisk: join(folder, 'uefi.img'),
        commandLine,
      }
}

function build(work: string): void {
  const root = join(work, 'root')
  for (const folder of [
    'bin',
    'sbin',
    'proc',
    'sys',
    'dev',
    'mnt',
    'etc/acpi/PWRF',
    'lib/modules',
    'var/log',
    'var/run',
    'etc/udhcpc',
  ])
    mkdirSync(join(root, folder), { recursive: true })
  const path = `${join(work, 'packages/usr/bin')}:${process.env.PATH}`
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: work, stdio: 'pipe', env: { ...process.env, PATH: path } })
  const depends = String(run('apt-cache', 'depends', 'linux-image-cloud-amd64'))
  const image = /Depends: (linux-image-\S+)/.exec(depends)?.[1]
  if (image === undefined) throw new Error('apt-cache knows no kernel: run apt-get update')
  const packages = join(work, 'packages')
  unpack(packages, [image, 'busybox-static', 'syslinux', 'mtools', 'systemd-boot-efi'])
  const [version = ''] = readdirSync(join(packages, 'lib/modules'))
  for (const module of modules)
    writeFileSync(
      join(root, 'lib/modules', nameOf(module)),
      readFileSync(join(packages, 'lib/modules', version, 'kernel', module)),
    )
  writeFileSync(join(root, 'bin/busybox'), readFileSync(join(packages, 'bin/busybox')), { mode: 0o755 })
  writeFileSync(join(root, 'init'), init, { mode: 0o755 })
  writeFileSync(join(root, 'etc/udhcpc/default.script'), lease, { mode: 0o755 })
  writeFileSync(join(root, 'etc/acpi/PWRF/00000080'), powerOff, { mode: 0o755 })
  const archive = 'cd root && find . | cpio -o -H newc --quiet | gzip -9 > ../initrd.gz'
  run('sh', '-c', archive)
  const kernel = readFileSync(join(packages, 'boot', `vmlinuz-${version}`))
  writeFileSync(join(work, 'vmlinuz'), kernel)
  writeFileSync(join(work, 'syslinux.cfg'), loader)
  writeFileSync(join(work, 'disk.img'), '')
  truncateSync(join(work, 'disk.img'), 64 * 2 ** 20)
  const onDisk = ['-i', 'disk.img'] as const
  run('mformat', ...onDisk, '-h', '64', '-s', '32', '-T', '131072', '::')
  run('mcopy', ...onDisk, 'vmlinuz', 'initrd.gz', 'syslinux.cfg', '::')
  run('syslinux', '--install', 'disk.img')
  makeUefiDisk(work, run)
  for (const name of readdirSync(work))
    if (!['vmlinuz', 'initrd.gz', 'disk.img', 'uefi.img'].includes(name))
      rmSync(join(work, name), { recursive: true })
}

/** A disk that boots by UEFI alone, as some images do. */
function makeUefiDisk(work: string, run: (program: string, ...args: string[]) => void): void {
  const [size, first, last] = [64 * 2 ** 20, 2048, 2048 + 126_976 - 1]
  const disk = openSync(join(work, 'uefi.img'), 'w')
  ftruncateSync(disk, size)
  for (const [at, bytes] of partitionTable(size, [{ type: 'efiSystem', from: first, to: last }]))
    writeSync(disk, bytes, 0, bytes.length, at)
  closeSync(disk)
  writeFileSync(join(work, 'loader.conf'), 'timeout 0\n')
  writeFileSync(join(work, 'guest.conf'), entry)
  const onDisk = ['-i', `uefi.img@@${first * 512}`] as const
  run('mformat', ...onDisk, '-h', '64', '-s', '32', '-T', String(last - first + 1), '::')
  run('mmd', ...onDisk, '::EFI', '::EFI/BOOT', '::loader', '::loader/entries')
  const bootLoader = 'packages/usr/lib/systemd/boot/efi/systemd-bootx64.efi'
  run('mcopy', ...onDisk, bootLoader, '::EFI/BOOT/BOOTX64.EFI')
  run('mcopy', ...onDisk, 'vmlinuz', 'initrd.gz', '::')
  run('mcopy', ...onDisk, 'loader.conf', '::loader')
  run('mcopy', ...onDisk, 'guest.conf', '::loader/entries')
}
