/** A small guest of Debian's kernel and BusyBox: a shell on the serial console, which obeys the power button. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DirectKernel } from '../machine/arguments.ts'

const cache = fileURLToPath(new URL('../../../node_modules/.cache/purlin/guest-1', import.meta.url))

/** In the order in which they must be loaded. */
const modules = [
  'virtio/virtio_ring',
  'virtio/virtio',
  'virtio/virtio_pci_legacy_dev',
  'virtio/virtio_pci_modern_dev',
  'virtio/virtio_pci',
  'block/virtio_blk',
  'acpi/button',
  'input/evdev',
].map((name) => `drivers/${name}.ko`)

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
const powerOff = '#!/bin/sh\npoweroff -f\n'

/** Builds the guest of Debian's packages, once; undefined where they cannot be downloaded. */
export function buildGuest(): DirectKernel | undefined {
  const kernel = join(cache, 'vmlinuz')
  const initrd = join(cache, 'initrd.gz')
  try {
    if (!existsSync(initrd)) build()
  } catch {
    return undefined
  }
  return { kernel, initrd, commandLine: 'console=ttyS0 quiet mitigations=off panic=1' }
}

function build(): void {
  const work = `${cache}.${process.pid}`
  rmSync(work, { recursive: true, force: true })
  const root = join(work, 'root')
  for (const folder of [
    'bin',
    'sbin',
    'proc',
    'sys',
    'dev',
    'etc/acpi/PWRF',
    'lib/modules',
    'var/log',
    'var/run',
  ])
    mkdirSync(join(root, folder), { recursive: true })
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: work, stdio: 'pipe' })
  const depends = String(run('apt-cache', 'depends', 'linux-image-cloud-amd64'))
  const image = /Depends: (linux-image-\S+)/.exec(depends)?.[1]
  if (image === undefined) throw new Error('apt-cache knows no kernel: run apt-get update')
  run('apt-get', 'download', image, 'busybox-static')
  for (const file of readdirSync(work).filter((name) => name.endsWith('.deb')))
    run('dpkg-deb', '-x', file, 'packages')
  const packages = join(work, 'packages')
  const [version = ''] = readdirSync(join(packages, 'lib/modules'))
  for (const module of modules)
    writeFileSync(
      join(root, 'lib/modules', nameOf(module)),
      readFileSync(join(packages, 'lib/modules', version, 'kernel', module)),
    )
  writeFileSync(join(root, 'bin/busybox'), readFileSync(join(packages, 'bin/busybox')), { mode: 0o755 })
  writeFileSync(join(root, 'init'), init, { mode: 0o755 })
  writeFileSync(join(root, 'etc/acpi/PWRF/00000080'), powerOff, { mode: 0o755 })
  const archive = 'cd root && find . | cpio -o -H newc --quiet | gzip -9 > ../initrd.gz'
  run('sh', '-c', archive)
  const kernel = readFileSync(join(packages, 'boot', `vmlinuz-${version}`))
  for (const folder of [packages, root]) rmSync(folder, { recursive: true })
  writeFileSync(join(work, 'vmlinuz'), kernel)
  rmSync(cache, { recursive: true, force: true })
  renameSync(work, cache)
}
