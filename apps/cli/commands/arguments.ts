/** The arguments of an operation, from the flags and files that were given. */
import { createReadStream, readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { flagsOf, type Flag, type Part } from '@purlin/contract/commands/flags'
import { put, type WireArgs } from '@purlin/contract/commands/request'
import { FlagError, mayBeFile, valueFrom, type Given } from '@purlin/contract/commands/values'
import type { OpShape } from '@purlin/contract/op'
import type { OperationName } from '@purlin/contract/operations'
import { mediaTypes } from '@purlin/contract/schemas/media-types'
import { CliError } from '../errors.ts'
import type { Io } from '../io.ts'
import { parseJson } from '../output/json.ts'
import { keptOf } from './kept.ts'

/** Flags by their name, without dashes. */
export type GivenFlags = Readonly<Record<string, Given | undefined>>

export interface Ask {
  io: Io
  name: OperationName
  op: OpShape
  flags: GivenFlags
  /** The file of the body; `-` is standard input. */
  file?: string | undefined
}

/** A body of bytes, which is sent while it is read. */
export interface Bytes {
  stream: Readable
  /** Undefined for standard input. */
  size?: number
}

const takesBytes = ({ op }: Ask): boolean => op.bodyType === mediaTypes.bytes

/** The arguments by their names on the wire. Throws FlagError and CliError. */
export async function argumentsOf(ask: Ask): Promise<WireArgs> {
  const { op, name, flags, file } = ask
  const args: { [P in Part]?: unknown } = {}
  if (file !== undefined && !takesBytes(ask)) args.body = await documentIn(ask.io, file)
  const known = flagsOf(op, name)
  for (const flag of known) {
    const given = flags[flag.name]
    if (given !== undefined) put(args, flag, await valueOf(ask.io, flag, given))
  }
  requireAll(known, args, Object.keys(args.body ?? {}).length > 0 ? (keptOf(name)?.fields ?? []) : [])
  if (takesBytes(ask) && file === undefined) throw new CliError('usage', 'missing: --file')
  return args as WireArgs
}

async function valueOf(io: Io, flag: Flag, given: Given): Promise<unknown> {
  try {
    const texts = given === false ? given : await Promise.all(given.map((text) => expanded(io, flag, text)))
    return valueFrom(flag, texts)
  } catch (error) {
    if (error instanceof FlagError) throw new FlagError(`--${flag.name}: ${error.message}`)
    throw error
  }
}

/** The text of a file for `@FILE`; `@@` is a text that begins with `@`. */
async function expanded(io: Io, flag: Flag, text: string): Promise<string> {
  if (!mayBeFile(flag) || !text.startsWith('@')) return text
  if (text.startsWith('@@')) return text.slice(1)
  const bytes = await bytesIn(io, text.slice(1))
  return flag.node.kind === 'bytes' || flag.node.kind === 'base64'
    ? bytes.toString('base64')
    : bytes.toString().replace(/\r?\n$/, '')
}

const bytesIn = (io: Io, file: string): Promise<Buffer> | Buffer =>
  file === '-' ? buffer(io.stdin) : readFileSync(file)

/** The document in a file: YAML by its name, otherwise JSON. */
async function documentIn(io: Io, file: string): Promise<unknown> {
  const text = (await bytesIn(io, file)).toString()
  try {
    if (/\.ya?ml$/.test(file)) return (await import('yaml')).parse(text) as unknown
    return parseJson(text)
  } catch (error) {
    throw new CliError('usage', `${file}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** `kept` are fields of the body that a change to others leaves as they are. */
function requireAll(flags: readonly Flag[], args: { [P in Part]?: unknown }, kept: readonly string[]): void {
  const missing = flags.filter(({ isRequired, part, path }) => {
    if (part === 'body' && path[0] !== undefined && kept.includes(path[0])) return false
    const outer = args[part]
    const inner = path[0] === undefined ? outer : (outer as Record<string, unknown> | undefined)?.[path[0]]
    return isRequired && inner === undefined
  })
  const names = missing.map(({ name }) => `--${name}`)
  if (names.length > 0) throw new CliError('usage', `missing: ${names.join(', ')}`)
}

/** The bytes of a body, to be sent while they are read; undefined for an operation whose body is not of bytes. */
export async function bytesOf(ask: Ask): Promise<Bytes | undefined> {
  const { io, file = '-' } = ask
  if (!takesBytes(ask)) return undefined
  if (file === '-') return { stream: io.stdin }
  const { size } = await stat(file)
  return { stream: createReadStream(file), size }
}
