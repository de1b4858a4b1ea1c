/**
 * The system calls that a process in a box is refused: a filter of seccomp (struct sock_filter of linux/filter.h, over
 * struct seccomp_data of linux/seccomp.h). QEMU needs none of them once it is in its box.
 */

/** The numbers of system calls, by the architecture of Node. */
interface Numbers {
  /** AUDIT_ARCH of linux/audit.h */
  architecture: number
  refused: readonly number[]
  clone: number
  /** Its flags are in memory, where no filter sees them: libraries go on with `clone`. */
  clone3: number
  socket: readonly number[]
  connect: number
}

/** From 424 on, all architectures have the same: mounts, io_uring, which passes filters by, modes and attributes of files. */
const refusedAnywhere = [425, 426, 427, 428, 429, 430, 431, 432, 433, 442, 452, 463]

const numbers: Partial<Record<string, Numbers>> = {
  x64: {
    architecture: 0xc000_003e,
    // chmod, fchmod, chown, fchown, lchown, ptrace, mount, umount2, setxattr and its siblings, add_key, keyctl, fchownat,
    // fchmodat, unshare, open_by_handle_at, setns, bpf
    refused: [90, 91, 92, 93, 94, 101, 165, 166, 188, 189, 190, 248, 250, 260, 268, 272, 304, 308, 321],
    clone: 56,
    clone3: 435,
    socket: [41, 53],
    connect: 42,
  },
  arm64: {
    architecture: 0xc000_00b7,
    // setxattr and its siblings, umount2, mount, fchmod, fchmodat, fchownat, fchown, unshare, ptrace, add_key, keyctl,
    // open_by_handle_at, setns, bpf
    refused: [5, 6, 7, 39, 40, 52, 53, 54, 55, 97, 117, 217, 219, 265, 268, 280],
    clone: 220,
    clone3: 435,
    socket: [198, 199],
    connect: 203,
  },
}

const load = 0x20
const and = 0x54
const isEqual = 0x15
const isAtLeast = 0x35
const hasBits = 0x45
const answer = 0x06

const allow = 0x7fff_0000
const kill = 0x8000_0000
const errno = (number: number) => 0x0005_0000 | number
const [notPermitted, noSuchCall, denied] = [errno(1), errno(38), errno(13)]

const numberAt = 0
const architectureAt = 4
const argumentAt = (i: number) => 16 + 8 * i

/** The first number of the second interface of x64 (x32). */
const x32 = 0x4000_0000
/** The flags of `clone` for new namespaces. */
const newNamespaces = 0x7e02_0000
const unix = 1
const stream = 1

/** An instruction: what to skip if a condition holds, and if not. */
type Step = readonly [code: number, value: number, ifTrue?: number, ifFalse?: number]

/** Calls with one number, and the steps for their arguments. */
const callsOf = (number: number, steps: readonly Step[]): Step[] => [
  [isEqual, number, 0, steps.length],
  ...steps,
]

/** Only sockets that are paths, of the kind that has no other receiver than the one it is connected to. */
const ownSockets: readonly Step[] = [
  [load, argumentAt(0)],
  [isEqual, unix, 0, 4],
  [load, argumentAt(1)],
  [and, 0xf],
  [isEqual, stream, 0, 1],
  [answer, allow],
  [answer, denied],
]

/**
 * The sockets that a process uses: all; those that it may also connect, where it has no network and sees those of its machine
 * only; or those that others connect to.
 */
export type Sockets = 'all' | 'connected' | 'listening'

/** The filter; undefined on an architecture whose numbers are not known. */
export function systemCallFilter(sockets: Sockets, architecture: string = process.arch): Buffer | undefined {
  const known = numbers[architecture]
  if (!known) return undefined
  const steps: Step[] = [
    [load, architectureAt],
    [isEqual, known.architecture, 1, 0],
    [answer, kill],
    [load, numberAt],
    [isAtLeast, x32, 0, 1],
    [answer, notPermitted],
    ...[...known.refused, ...refusedAnywhere].flatMap((one) => callsOf(one, [[answer, notPermitted]])),
    ...callsOf(known.clone3, [[answer, noSuchCall]]),
    ...callsOf(known.clone, [
      [load, argumentAt(0)],
      [hasBits, newNamespaces, 0, 1],
      [answer, notPermitted],
      [answer, allow],
    ]),
    ...(sockets === 'all' ? [] : known.socket.flatMap((one) => callsOf(one, ownSockets))),
    ...(sockets === 'listening' ? callsOf(known.connect, [[answer, denied]]) : []),
    [answer, allow],
  ]
  const bytes = Buffer.alloc(8 * steps.length)
  for (const [i, [code, value, ifTrue = 0, ifFalse = 0]] of steps.entries()) {
    bytes.writeUInt16LE(code, 8 * i)
    bytes.writeUInt8(ifTrue, 8 * i + 2)
    bytes.writeUInt8(ifFalse, 8 * i + 3)
    bytes.writeUInt32LE(value >>> 0, 8 * i + 4)
  }
  return bytes
}
