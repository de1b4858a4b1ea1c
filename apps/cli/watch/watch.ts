/** Shows the answer of a command, and then its changes, as the event stream of the server announces them. */
import { createParser } from 'eventsource-parser'
import { requestOf } from '@purlin/contract/commands/request'
import { operations, type OperationName } from '@purlin/contract/operations'
import { jsonText } from '@purlin/contract/wire'
import { argumentsOf, type GivenFlags } from '../commands/arguments.ts'
import type { OwnFlags, Run } from '../commands/operation.ts'
import { rowsNode, showValue } from '../commands/show.ts'
import { CliError } from '../errors.ts'
import { send, sendForText } from '../http/send.ts'
import { note, write, type Io } from '../io.ts'
import { parseJson } from '../output/json.ts'
import { printableJson } from '@purlin/contract/commands/printable'
import { serverFor } from '../profiles/server.ts'
import { changesBetween, type Change } from './changes.ts'
import { changeText } from './lines.ts'

const firstPauseMs = 1000
const longestPauseMs = 15_000
const rowsOfPage = 1000

/** Runs a command that reads, until the user ends it. */
export async function watch(
  io: Io,
  name: OperationName,
  own: OwnFlags & { flags: GivenFlags },
): Promise<void> {
  const op = operations[name]
  if (op.method !== 'GET' || !('response' in op))
    throw new CliError('usage', 'only commands that read can be watched')
  const ask = { io, name, op, flags: own.flags }
  const given = await argumentsOf(ask)
  const isList = rowsNode(op.response.node) !== undefined
  const args = isList ? { ...given, query: { limit: rowsOfPage, ...given.query } } : given
  await follow({ ...ask, args, own, server: await serverFor(io, own.profile) })
}

/** Follows the stream, and opens it again when it has ended. */
async function follow(run: Run): Promise<void> {
  const { io } = run
  let shown: unknown
  let pause = firstPauseMs
  const again = async () => {
    shown = await showAgain(run, shown)
    pause = firstPauseMs
  }
  for (;;) {
    try {
      await events(run, again)
    } catch (error) {
      const isFinal = error instanceof CliError && error.kind !== 'server'
      if (isFinal || shown === undefined || io.signal.aborted) throw error
    }
    await note(io, 'The connection was lost; connecting again.')
    await io.sleep(pause)
    pause = Math.min(longestPauseMs, pause * 2)
  }
}

/** Calls `again` when the stream begins and with each change, until it ends. */
async function events(run: Run, again: () => Promise<void>): Promise<void> {
  const { io, server, op, args } = run
  const scope = [requestOf(op, args).url]
  const request = requestOf(operations.eventStream, { query: { scope } })
  const { stream } = await send(server, request, io.signal)
  let isDue = false
  const parser = createParser({ onEvent: () => (isDue = true) })
  for await (const piece of stream.setEncoding('utf8')) {
    parser.feed(String(piece))
    if (!isDue) continue
    isDue = false
    await again()
  }
}

/** Reads the answer, and shows all of it the first time, its changes later. */
async function showAgain(run: Run, before: unknown): Promise<unknown> {
  const { io, op, args, server } = run
  const value = parseJson(await sendForText(server, requestOf(op, args), io.signal))
  if (before === undefined && !run.own.json) await showValue(run, value)
  else for (const change of changesBetween(before, value)) await showChange(run, change)
  return value
}

function showChange({ io, op, own }: Run, change: Change): Promise<void> {
  if (own.json) return write(io.stdout, `${printableJson(jsonText(change))}\n`)
  const node = op.response?.node
  return write(io.stdout, node ? changeText(rowsNode(node) ?? node, change) : '')
}
