/** Runs the command of an operation: arguments, request, answer. */
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { text } from 'node:stream/consumers'
import { isPaged } from '@purlin/contract/client'
import { requestOf, type WireArgs } from '@purlin/contract/commands/request'
import { operations, type OperationName } from '@purlin/contract/operations'
import { serverFor } from '../profiles/server.ts'
import { CliError } from '../errors.ts'
import { send, type Answer, type Server } from '../http/send.ts'
import { write, type Io } from '../io.ts'
import { indented, parseJson } from '../output/json.ts'
import { printable, printableLines } from '@purlin/contract/commands/printable'
import { argumentsOf, bytesOf, type Ask, type GivenFlags } from './arguments.ts'
import { withPresent } from './kept.ts'
import { showPages } from './pages.ts'
import { showValue } from './show.ts'
import { waitFor } from './wait.ts'

/** The flags that commands of operations have in addition to those of their fields. */
export interface OwnFlags {
  profile?: string | undefined
  json?: boolean | undefined
  all?: boolean | undefined
  file?: string | undefined
  output?: string | undefined
  /** The state to wait for. */
  wait?: string | undefined
  /** The template of the user data of a new instance, and the values of its fields. */
  template?: string | undefined
  field?: readonly string[] | undefined
  /** The name of a size for an instance. */
  size?: string | undefined
  /** Seconds. */
  waitTimeout?: string | undefined
}

export interface Run extends Ask {
  server: Server
  args: WireArgs
  own: OwnFlags
}

/** Runs the command of an operation. */
export async function runOperation(
  io: Io,
  name: OperationName,
  own: OwnFlags & { flags: GivenFlags },
): Promise<void> {
  const ask: Ask = { io, name, op: operations[name], flags: await sized(io, own), file: own.file }
  const given = await argumentsOf(ask)
  const server = await serverFor(io, own.profile)
  const { args, etag } = await withPresent(
    { io, server },
    name,
    await filled(io, server, { args: given, own }),
  )
  const run: Run = { ...ask, server, args, own }
  if (name === 'instanceDisplay') return (await import('../console/display.ts')).carryDisplay(run)
  if (run.op.ok === 'upgrade') return (await import('../console/attach.ts')).attach(run)
  if (own.all && isPaged(run.op)) return showPages(run)
  const request = { ...requestOf(run.op, args), ...(await bodyOf(run)) }
  if (etag !== undefined) request.headers = { ...request.headers, 'if-match': etag }
  const answer = await send(run.server, request, io.signal)
  const value = await show(run, answer)
  if (own.wait !== undefined) await waitFor(run, value)
  if (name === 'logout') await (await import('../profiles/commands.ts')).forget(io, own.profile)
}

/** The flags with the vCPUs and the memory of a size, if one is named. */
async function sized(io: Io, own: OwnFlags & { flags: GivenFlags }): Promise<GivenFlags> {
  const { size, flags } = own
  if (size === undefined) return flags
  return (await import('./machine-size.ts')).withSize(io, await serverFor(io, own.profile), { flags, size })
}

/** The arguments with the user data of a template, if one is named. */
async function filled(
  io: Io,
  server: Server,
  { args, own: { template, field = [] } }: Pick<Run, 'args' | 'own'>,
): Promise<WireArgs> {
  if (template !== undefined)
    return (await import('./user-data.ts')).withTemplate(io, server, { args, template, field })
  if (field.length > 0) throw new CliError('usage', '--field: only with --template')
  return args
}

async function bodyOf(run: Run) {
  const bytes = await bytesOf(run)
  if (!bytes) return {}
  const { headers } = requestOf(run.op, run.args)
  return {
    body: bytes.stream,
    headers: { ...headers, ...(bytes.size === undefined ? {} : { 'content-length': String(bytes.size) }) },
  }
}

/** Shows an answer, and gives its value if it has one. */
async function show(run: Run, answer: Answer): Promise<unknown> {
  const { op, own, io } = run
  if (op.method === 'HEAD') return showHeaders(run, answer)
  if (op.streams) return showBytes(run, answer)
  const body = await text(answer.stream)
  if (op.ok === 302 || op.ok === 303) return write(io.stdout, `${printable(answer.headers.location ?? '')}\n`)
  if (body === '') return undefined
  const value = parseJson(body)
  // A command that waits shows the resource once it is in its state.
  if (own.wait === undefined) await showValue(run, value)
  return value
}

const shownHeaders = ['content-length', 'content-type', 'etag', 'accept-ranges', 'content-disposition']

async function showHeaders({ io }: Run, { headers, stream }: Answer): Promise<undefined> {
  stream.resume()
  const present = shownHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]))
  await write(io.stdout, `${indented(Object.fromEntries(present))}\n`)
  return undefined
}

async function showBytes({ io, own }: Run, { headers, stream }: Answer): Promise<undefined> {
  const type = String(headers['content-type'])
  const isText = /^text\/|json|xml/.test(type)
  if (own.output !== undefined) {
    // An existing file is never replaced. A backup or a bundle is for no other user of the machine.
    await pipeline(stream, createWriteStream(own.output, { flags: 'wx', mode: 0o600 }))
  } else if (!io.stdout.isTTY) {
    await pipeline(stream, io.stdout, { end: false })
  } else if (isText) {
    for await (const chunk of stream.setEncoding('utf8'))
      await write(io.stdout, printableLines(String(chunk)))
  } else {
    stream.destroy()
    throw new CliError('usage', 'The answer is a file: name it with --output FILE')
  }
  return undefined
}
