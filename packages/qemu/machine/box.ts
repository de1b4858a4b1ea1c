/**
 * A box for a process of QEMU, made with bubblewrap: it sees the programs of the host, read-only, and its own files, and
 * no other process. A guest that takes over its QEMU finds no database, no keys and no disks of others.
 */
import { spawnSync } from 'node:child_process'
import { dirname, isAbsolute } from 'node:path'

/** The program that makes boxes. */
export const boxProgram = 'bwrap'

/** Where programs, libraries and firmware are. */
const programs = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/gnu/store', '/nix/store']
/** How programs find libraries and names. */
const settings = ['/etc/ld.so.cache', '/etc/alternatives', '/etc/resolv.conf', '/etc/hosts']
const devices = ['/dev/kvm', '/dev/net/tun']

/** The files and the network of a process in a box. A path is the same inside and outside. */
export interface BoxContents {
  /** Files and folders that it reads. */
  read: readonly string[]
  /** Files and folders that it writes to, in folders that it reads as well. */
  written: readonly string[]
  /** Folders that have another path inside: this one first. */
  moved: readonly (readonly [inside: string, outside: string, use: 'read' | 'written'])[]
  /**
   * `none`: no network. `own`: one that leads nowhere until it has an uplink. `devices`: it may open devices of the host, and no
   * sockets but those of its files. `host`: the network of the host.
   */
  network: 'none' | 'own' | 'devices' | 'host'
}

const nothing: BoxContents = { read: [], written: [], moved: [], network: 'none' }

/** The arguments of bubblewrap before those of the program. */
export function boxArguments({ read, written, moved, network }: BoxContents, program: string): string[] {
  const each = (option: string, paths: readonly string[]) => paths.flatMap((path) => [option, path, path])
  return [
    '--unshare-all',
    ...(network === 'devices' || network === 'host' ? ['--share-net'] : []),
    '--cap-drop',
    'ALL',
    // Root in the box is the user of the server. With another number, bubblewrap would make a second namespace of users, and
    // only root of the host could set the routes of the box.
    '--uid',
    '0',
    '--gid',
    '0',
    '--as-pid-1',
    '--dev',
    '/dev',
    ...each('--dev-bind-try', devices),
    ...each('--ro-bind-try', [...programs, ...settings]),
    ...(isAbsolute(program) ? each('--ro-bind', [dirname(program)]) : []),
    ...each('--ro-bind', read),
    ...each('--bind', written),
    ...moved.flatMap(([inside, outside, use]) => [use === 'read' ? '--ro-bind' : '--bind', outside, inside]),
  ]
}

/** Why no process can be put into a box on this host, for operators; undefined if one can. */
export function whyNoBox(program: string): string | undefined {
  const { error, status, stderr } = spawnSync(
    boxProgram,
    [...boxArguments(nothing, program), '--', program, '--version'],
    { encoding: 'utf8' },
  )
  if (error) return `${boxProgram} is missing. Install bubblewrap.`
  if (status === 0) return undefined
  return stderr.trim().split('\n').at(-1) ?? `${boxProgram} has failed`
}
