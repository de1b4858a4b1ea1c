/** The settings, defined once: flags, environment variables, `--help` and the README's rows come from one table. */
import { messageOf } from '@purlin/databases/error-codes'
import { keysOf } from '@purlin/contract/rules/keys'
import { parseArgs } from 'node:util'
import {
  backupsKept,
  ConfigError,
  counts,
  domain,
  metricsToken,
  name,
  networks,
  notEmpty,
  oneOf,
  onOff,
  optional,
  origin,
  password,
  postgresUrl,
  whole,
} from './config-values.ts'
import { defaultZone } from '@purlin/contract/rules/credentials/certificates'

interface Flag<T> {
  /** The placeholder of the value in the help text; a switch has none. */
  value?: string
  /** The default text, parsed like any other. */
  fallback: string
  read(text: string): T
  about: string
  /** It contains or may contain a password, or what serves as one. */
  isSecret: boolean
}
const flag = <T>(of: Flag<T>): Flag<T> => of

const minutesOfAYear = 525_600
const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** Everything that can be set. `dataDir` is the flag `--data-dir` and the variable `PURLIN_DATA_DIR`. */
const flags = {
  port: flag({
    value: 'NUMBER',
    fallback: '12220',
    read: whole(0, 65_535),
    about: 'Port to listen on; 0 selects any free port',
    isSecret: false,
  }),
  host: flag({
    value: 'ADDRESS',
    fallback: '127.0.0.1',
    read: notEmpty,
    about: 'Address to listen on; 0.0.0.0 means every IPv4 address',
    isSecret: false,
  }),
  dataDir: flag({
    value: 'FOLDER',
    fallback: './.data',
    read: notEmpty,
    about: 'Folder of the embedded database and the bytes of disks; created if missing',
    isSecret: false,
  }),
  databaseUrl: flag({
    value: 'URL',
    fallback: '',
    read: postgresUrl,
    about: 'PostgreSQL database to use instead of the embedded one',
    isSecret: true,
  }),
  adoptDisksOf: flag({
    value: 'DATABASE',
    fallback: '',
    read: optional,
    about:
      'Take over the bytes of disks in the data folder from this PostgreSQL database, by the name in the log; stop its servers first',
    isSecret: false,
  }),
  apiOnly: flag({
    fallback: 'false',
    read: onOff,
    about:
      'Serve only the API and the console; another server on the same PostgreSQL database runs the instances',
    isSecret: false,
  }),
  demo: flag({
    fallback: 'false',
    read: onOff,
    about: 'Fill an empty database with demo data',
    isSecret: false,
  }),
  adminSilo: flag({
    value: 'NAME',
    fallback: 'main',
    read: name,
    about: 'First start: name of the silo',
    isSecret: false,
  }),
  adminUser: flag({
    value: 'NAME',
    fallback: 'admin',
    read: name,
    about: 'First start: name of the administrator',
    isSecret: false,
  }),
  adminPassword: flag({
    value: 'TEXT',
    fallback: '',
    read: password,
    about:
      'First start: password of the administrator, 12 characters or more (random; other users see flags, so prefer the variable)',
    isSecret: true,
  }),
  sessionIdleMinutes: flag({
    value: 'NUMBER',
    fallback: '480',
    read: whole(1, minutesOfAYear),
    about: 'Minutes until an idle session ends',
    isSecret: false,
  }),
  sessionAbsoluteMinutes: flag({
    value: 'NUMBER',
    fallback: '1440',
    read: whole(1, minutesOfAYear),
    about: 'Minutes until any session ends',
    isSecret: false,
  }),
  auditDays: flag({
    value: 'NUMBER',
    fallback: '730',
    read: whole(1, 36_500),
    about: 'Days to keep entries of the audit log',
    isSecret: false,
  }),
  limits: flag({
    value: 'LIST',
    fallback: '',
    read: counts,
    about: 'Limits on the number of resources, such as vpc-per-project=20,instance-per-silo=500',
    isSecret: false,
  }),
  zone: flag({
    value: 'DOMAIN',
    fallback: defaultZone,
    read: domain,
    about: 'Domain of the host names of silos: their certificates are for SILO.sys.DOMAIN',
    isSecret: false,
  }),
  tls: flag({
    fallback: 'false',
    read: onOff,
    about: 'Serve HTTPS only with the certificates of the silos, each at its host name',
    isSecret: false,
  }),
  tlsCert: flag({
    value: 'FILE',
    fallback: '',
    read: optional,
    about: 'Certificate chain (PEM) for all other host names; serves HTTPS, together with --tls-key',
    isSecret: false,
  }),
  tlsKey: flag({
    value: 'FILE',
    fallback: '',
    read: optional,
    about: 'Private key (PEM) of the certificate',
    isSecret: false,
  }),
  publicUrl: flag({
    value: 'URL',
    fallback: '',
    read: origin,
    about: 'Address that browsers use, if a proxy changes it: https://cloud.example.org',
    isSecret: false,
  }),
  behindProxy: flag({
    fallback: 'false',
    read: onOff,
    about:
      'Trust X-Forwarded-For, X-Forwarded-Host and X-Forwarded-Proto; only if all requests come through your own proxy',
    isSecret: false,
  }),
  maxConnections: flag({
    value: 'NUMBER',
    fallback: '4096',
    read: whole(1, 1_000_000),
    about: 'Maximum number of connections',
    isSecret: false,
  }),
  maxConnectionsPerAddress: flag({
    value: 'NUMBER',
    fallback: '512',
    read: whole(1, 1_000_000),
    about: 'Maximum number of connections from one address, or one /64 of IPv6; not with --behind-proxy',
    isSecret: false,
  }),
  metricsToken: flag({
    value: 'TEXT',
    fallback: '',
    read: metricsToken,
    about:
      'Bearer token with which /metrics is read from other machines (other users see flags, so prefer the variable)',
    isSecret: true,
  }),
  webhooksRefuse: flag({
    value: 'LIST',
    fallback: '',
    read: networks,
    about:
      'Networks that alerts are never sent to, such as 10.20.0.0/16: name those of the management of your hosts',
    isSecret: false,
  }),
  webhooksAllow: flag({
    value: 'LIST',
    fallback: '',
    read: networks,
    about:
      'Networks that alerts may be sent to although they are refused otherwise: loopback, link-local, multicast, fc00::/7',
    isSecret: false,
  }),
  backupTo: flag({
    value: 'FOLDER',
    fallback: '',
    read: optional,
    about: 'Folder for scheduled backups, on another machine or disk; without it none are scheduled',
    isSecret: false,
  }),
  backupEvery: flag({
    value: 'HOURS',
    fallback: '24',
    read: whole(1, 8_760),
    about: 'Hours from one scheduled backup to the next',
    isSecret: false,
  }),
  backupKeep: flag({
    value: 'NUMBER',
    fallback: '7',
    read: backupsKept,
    about: 'Number of backups to keep in the folder; older ones are deleted',
    isSecret: false,
  }),
  logLevel: flag({
    value: 'LEVEL',
    fallback: 'info',
    read: oneOf(levels),
    about: `Log level on stderr: ${levels.join(', ')}`,
    isSecret: false,
  }),
}
type Flags = typeof flags
type FlagName = keyof Flags

/** The settings of one server, checked. */
export type Config = { [K in FlagName]: ReturnType<Flags[K]['read']> }
type Reached = Pick<Config, 'host' | 'tls' | 'tlsCert'>

/** True if clients connect with TLS. */
export const servesTls = ({ tls, tlsCert }: Omit<Reached, 'host'>): boolean => tls || tlsCert !== undefined

/** The address at which a browser on this machine finds a server that listens on a port. */
export function originOf(config: Reached, port: number): string {
  const { host } = config
  const isAnyAddress = host === '0.0.0.0' || host === '::'
  const name = isAnyAddress ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `${servesTls(config) ? 'https' : 'http'}://${name}:${port}`
}
/** The result of parsing a command line. */
export type Command = { at: 'run'; config: Config } | { at: 'help' } | { at: 'version' }
type Env = Record<string, string | undefined>

const names = keysOf(flags)
const separated = (key: FlagName, by: string) =>
  key.replaceAll(/[A-Z]/g, (letter) => by + letter.toLowerCase())
const flagOf = (key: FlagName) => separated(key, '-')
const variableOf = (key: FlagName) => `PURLIN_${separated(key, '_').toUpperCase()}`

/** Reads flags and variables; a flag wins over its variable. Throws ConfigError. */
export function readConfig(argv: string[], env: Env): Command {
  const values = parsed(argv)
  if (values['help']) return { at: 'help' }
  if (values['version']) return { at: 'version' }
  const entries = names.map((key) => [key, valueOf(key, values[flagOf(key)], env)])
  const config = Object.fromEntries(entries) as Config
  if ((config.tlsCert === undefined) !== (config.tlsKey === undefined))
    throw new ConfigError('--tls-cert and --tls-key belong together: give both or none')
  if (config.apiOnly && config.databaseUrl === undefined)
    throw new ConfigError(
      '--api-only needs the --database-url of a database that another server uses as well',
    )
  if (config.apiOnly && config.demo)
    throw new ConfigError('--demo needs the instances that --api-only leaves to another server')
  return { at: 'run', config }
}

function parsed(argv: string[]): Record<string, string | boolean | undefined> {
  const options = Object.fromEntries(
    names.map((key) => [flagOf(key), { type: isSwitch(key) ? ('boolean' as const) : ('string' as const) }]),
  )
  const asks = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean' } } as const
  try {
    return parseArgs({ args: argv, options: { ...options, ...asks }, allowPositionals: false }).values
  } catch (error) {
    // The second sentence of Node's message is about positional arguments, which do not exist here.
    const [first = ''] = messageOf(error).split(/\.(?:\s|$)|\n/)
    throw new ConfigError(first, { cause: error })
  }
}

function isSwitch(key: FlagName): boolean {
  const { value }: Flag<unknown> = flags[key]
  return value === undefined
}

function valueOf(key: FlagName, given: string | boolean | undefined, env: Env): Config[FlagName] {
  const flag: Flag<Config[FlagName]> = flags[key]
  const variable = env[variableOf(key)]
  const source = given !== undefined ? `--${flagOf(key)}` : variableOf(key)
  try {
    if (given !== undefined) return flag.read(String(given))
    return flag.read(variable === undefined || variable === '' ? flag.fallback : variable)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new ConfigError(`${source}: ${error.message}`, { cause: error })
  }
}

const loopback = /^(?:127\.\d+\.\d+\.\d+|::1|localhost)$/

/** The problem with how the server can be reached, or undefined. */
export function exposure(config: Config): string | undefined {
  const { host, behindProxy, publicUrl } = config
  const isPrivate = loopback.test(host) || servesTls(config)
  if (isPrivate || behindProxy || publicUrl?.startsWith('https:')) return undefined
  return (
    `The server is reached from other machines over plain HTTP: passwords and sessions can be read on the way. ` +
    'Give it --tls-cert and --tls-key, or a proxy with TLS and --behind-proxy or --public-url.'
  )
}

/** All settings by flag, for people who look for a fault. Of those that may contain a secret it says only whether they are set. */
export const shownSettings = (config: Config): Record<string, unknown> =>
  Object.fromEntries(
    names.map((key) => {
      const { isSecret }: Flag<unknown> = flags[key]
      const value = config[key] ?? null
      return [`--${flagOf(key)}`, isSecret && value !== null ? '(set)' : value]
    }),
  )

/** One setting as documents show it. */
export interface FlagRow {
  flag: string
  variable: string
  fallback: string
  about: string
}

/** All settings, in the order of the help text. */
export const flagRows = (): FlagRow[] =>
  names.map((key) => {
    const { value, fallback, about }: Flag<unknown> = flags[key]
    const flag = `--${flagOf(key)}${value === undefined ? '' : ` ${value}`}`
    return { flag, variable: variableOf(key), fallback: value === undefined ? '' : fallback, about }
  })

/** The output of `--help`. */
export function helpText(): string {
  const rows = flagRows()
  const width = Math.max(...rows.map((row) => row.flag.length))
  const line = ({ flag, fallback, about }: FlagRow) =>
    `  ${flag.padEnd(width)}  ${about}${fallback === '' ? '' : ` (${fallback})`}`
  return [
    'Purlin: web console and control plane for a private cloud on your own machines.',
    '',
    'Usage: npm start -- [flags]',
    '',
    ...rows.map(line),
    `  ${'--help'.padEnd(width)}  Show this text`,
    `  ${'--version'.padEnd(width)}  Show the version`,
    '',
    'Every flag is also an environment variable: --data-dir is PURLIN_DATA_DIR. A flag wins over its variable.',
  ].join('\n')
}
