/** Reasons of QEMU in words for the owner of a machine. */

const known: readonly [RegExp, string][] = [
  [/cannot set up guest memory|Cannot allocate memory/i, 'the host has too little free memory'],
  [
    /Failed to get (?:shared )?"?\w*"? ?lock|Is another process using the image/i,
    'a disk is in use by another machine',
  ],
  [/No space left on device/i, 'the host has no room left for disks'],
  [
    /Could not access KVM|failed to initialize kvm/i,
    'the host cannot use its processor for virtual machines',
  ],
  [/Permission denied/i, 'QEMU may not use a file that it needs'],
  [
    /number of SMP cpus|Invalid SMP CPUs|Invalid CPU topology/i,
    'the machine has more vCPUs than QEMU allows',
  ],
]
const mostLength = 200
const isWarning = /^qemu-system-\w+: warning: /

/** Options and errors of the system have the paths of the host. */
const withoutPaths = (text: string) => text.replaceAll(/(?:\/[^\s/:'"]+)+/g, 'a file')

/** Why QEMU did not start or has ended, of what it has written to its standard error. */
export function reasonOf(stderr: string, otherwise: string): string {
  const found = known.find(([pattern]) => pattern.test(stderr))
  if (found) return found[1]
  const last =
    stderr
      .trim()
      .split('\n')
      .findLast((line) => !isWarning.test(line))
      ?.replace(/^qemu-system-\w+: /, '') ?? ''
  const plain = withoutPaths(last.replace(/^-\w+ \S+: /, ''))
  return plain === '' ? withoutPaths(otherwise) : `QEMU: ${plain.slice(0, mostLength)}`
}
