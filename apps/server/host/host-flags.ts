/** The settings of a host. */
import { hostname } from 'node:os'
import { parseArgs } from 'node:util'
import { messageOf } from '@purlin/databases/error-codes'
import { readJoinCode, type JoinCode } from '@purlin/contract/rules/credentials/hosts'
import type { Named } from '@purlin/netns/privileged/open'
import { ConfigError, ipAddress, networks, oneOf, whole } from '../process/config-values.ts'

const realDrivers = ['qemu', 'auto'] as const

/** How a host runs machines: simulated ones on a number of sleds, or real ones with the shared folder of disks. */
export type MachinesOfHost =
  | { are: 'simulated'; sleds: number }
  | { are: (typeof realDrivers)[number]; disks: string; named: Named }

/** An address and a port to listen on. */
export interface Place {
  host: string
  port: number
}

export interface HostConfig {
  join: JoinCode | undefined
  /** The address and the port to listen on; undefined for those of before. */
  listen: Place | undefined
  /** The address at which servers reach it; that to listen on unless given. */
  address: string | undefined
  dataDir: string
  machines: MachinesOfHost
  /** The port at which machines of other hosts arrive; 0 for any free one. */
  movesPort: number
}

/** For servers on the same machine. */
export const usualPlace: Place = { host: '127.0.0.1', port: 12_230 }

const options = {
  join: { type: 'string' },
  listen: { type: 'string' },
  address: { type: 'string' },
  'data-dir': { type: 'string', default: './host-data' },
  simulated: { type: 'string' },
  machines: { type: 'string' },
  disks: { type: 'string' },
  external: { type: 'string' },
  'tunnel-address': { type: 'string', default: '' },
  'moves-port': { type: 'string', default: '0' },
  help: { type: 'boolean', short: 'h' },
} as const

export const hostHelp = `npm run host -- [flags]

Runs machines for the servers of a fleet.

  --join CODE            Join a fleet, once; an operator makes the code under System → Inventory → Hosts
  --listen ADDRESS:PORT  Where servers connect (${usualPlace.host}:${usualPlace.port})
  --address NAME         The host name or address at which servers reach it (that of --listen)
  --data-dir FOLDER      Key, certificate and machines of this host (${options['data-dir'].default})
  --machines DRIVER      qemu, emulated where KVM cannot be used; auto, with QEMU where KVM can be used
  --disks FOLDER         With --machines: the data folder that all servers and hosts share
  --external LIST        Networks of external addresses to lead to guests, as root without the network helper
  --tunnel-address IP    Where it takes packets of VPCs from other hosts, as root without the network helper
  --moves-port PORT      Where other hosts send running machines, at the address of --listen (any free port)
  --simulated NUMBER     Simulate this many sleds instead`

/** Reads the flags; undefined for `--help`. Throws ConfigError. */
export function readHostConfig(args: string[]): HostConfig | undefined {
  const values = parsed(args)
  if (values.help === true) return undefined
  return {
    join: values.join === undefined ? undefined : codeOf(values.join),
    listen: values.listen === undefined ? undefined : placeOf(values.listen),
    address: values.address,
    dataDir: values['data-dir'],
    machines: machinesOf(values),
    movesPort: read('moves-port', values['moves-port'], whole(0, 65_535)),
  }
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: false }).values
  } catch (error) {
    const [first = ''] = messageOf(error).split(/\.(?:\s|$)|\n/)
    throw new ConfigError(first, { cause: error })
  }
}

type Values = ReturnType<typeof parsed>

/** Calls a reader of a value, whose error then names the flag. */
function read<T>(flag: keyof Values, text: string, reader: (text: string) => T): T {
  try {
    return reader(text)
  } catch (error) {
    throw error instanceof ConfigError ? new ConfigError(`--${flag} ${error.message}`) : error
  }
}

function machinesOf({ simulated, machines, disks, external = '', ...more }: Values): MachinesOfHost {
  if (simulated !== undefined && (machines !== undefined || disks !== undefined))
    throw new ConfigError('--simulated has no real machines: leave out --machines and --disks')
  if (simulated !== undefined) return { are: 'simulated', sleds: read('simulated', simulated, whole(1, 32)) }
  const are = read('machines', machines ?? 'auto', oneOf(realDrivers))
  if (disks === undefined)
    throw new ConfigError(
      'real machines need --disks and the data folder that servers and hosts share; --simulated 2 simulates some',
    )
  const tunnelAddress = read('tunnel-address', more['tunnel-address'], ipAddress)
  return { are, disks, named: { external: read('external', external, networks), tunnelAddress } }
}

/** The address at which servers reach a host that listens at a place. */
export const reachedAt = ({ host }: Place): string =>
  host === '0.0.0.0' || host === '::' ? hostname() : host

function placeOf(text: string): Place {
  const [, host = '', port = ''] = /^\[?([^\]\s]+?)\]?:(\d{1,5})$/.exec(text) ?? []
  if (host === '') throw new ConfigError('--listen must be an address and a port, such as 0.0.0.0:12230')
  return { host, port: read('listen', port, whole(0, 65_535)) }
}

function codeOf(text: string): JoinCode {
  const code = readJoinCode(text)
  if (!code)
    throw new ConfigError('--join must be a whole code: copy it again, in quotes, or make another one')
  return code
}
