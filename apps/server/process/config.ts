/** Reads the settings, and shows them. */
import { messageOf } from '@purlin/databases/error-codes'
import { keysOf } from '@purlin/contract/rules/keys'
import { parseArgs } from 'node:util'
import { ConfigError } from './config-values.ts'
import { flags, type Flag } from './flags.ts'

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
const isOnlyVariable = (key: FlagName) => {
  const { isOnlyVariable: is = false }: Flag<unknown> = flags[key]
  return is
}
const variableOf = (key: FlagName) => `PURLIN_${separated(key, '_').toUpperCase()}`

/** The name by which a setting is given: its flag, or its variable where it has no flag. */
const shownName = (key: FlagName) => (isOnlyVariable(key) ? variableOf(key) : `--${flagOf(key)}`)

/** Reads flags and variables; a flag wins over its variable. Throws ConfigError. */
export function readConfig(argv: string[], env: Env): Command {
  const values = parsed(argv)
  if (values['help']) return { at: 'help' }
  if (values['version']) return { at: 'version' }
  const entries = names.map((key) => [key, valueOf(key, values[flagOf(key)], env)])
  const config = Object.fromEntries(entries) as Config
  if ((config.tlsCert === undefined) !== (config.tlsKey === undefined))
    throw new ConfigError('--tls-cert and --tls-key belong together: give both or none')
  if (config.machines === 'qemu' && config.demo)
    throw new ConfigError('--demo has simulated instances: leave out --machines')
  if (config.tracesHeaders !== undefined && config.tracesTo === undefined)
    throw new ConfigError('PURLIN_TRACES_HEADERS needs --traces-to')
  const problem = mailProblem(config)
  if (problem !== undefined) throw new ConfigError(problem)
  return { at: 'run', config }
}

function parsed(argv: string[]): Record<string, string | boolean | undefined> {
  const options = Object.fromEntries(
    names
      .filter((key) => !isOnlyVariable(key))
      .map((key) => [flagOf(key), { type: isSwitch(key) ? ('boolean' as const) : ('string' as const) }]),
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

/** The reason why settings of e-mail do not belong together. */
function mailProblem(config: Config): string | undefined {
  const { smtpUrl, smtpPassword, smtpPasswordFile, mailFrom, smtpWithoutTls } = config
  if ((smtpUrl === undefined) !== (mailFrom === undefined))
    return '--smtp-url and --mail-from belong together: give both or none'
  if (smtpPassword !== undefined && smtpPasswordFile !== undefined)
    return '--smtp-password and --smtp-password-file: give one of them'
  const url = smtpUrl === undefined ? undefined : new URL(smtpUrl)
  const hasPassword = smtpPassword !== undefined || smtpPasswordFile !== undefined
  if (hasPassword && !url?.username) return 'the password of SMTP needs a user: --smtp-url smtp://user@host'
  if (url?.username && !hasPassword)
    return 'the user of --smtp-url needs --smtp-password-file or the variable PURLIN_SMTP_PASSWORD'
  return smtpWithoutTls && url?.protocol !== 'smtp:'
    ? '--smtp-without-tls is for an --smtp-url that begins with smtp://'
    : undefined
}

const loopback = /^(?:127\.\d+\.\d+\.\d+|::1|localhost)$/

/** True for a host that is this machine. */
export const isLoopback = (host: string): boolean => loopback.test(host)

/** The problem with how the server can be reached, or undefined. */
export function exposure(config: Config): string | undefined {
  const { host, behindProxy, publicUrl } = config
  const isPrivate = isLoopback(host) || servesTls(config)
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
      return [shownName(key), isSecret && value !== null ? '(set)' : value]
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
    const flag = `${shownName(key)}${value === undefined || isOnlyVariable(key) ? '' : ` ${value}`}`
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
