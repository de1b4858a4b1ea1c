/** Waits until a resource is in a state. */
import { flagsOf } from '@purlin/contract/commands/flags'
import { requestOf, type WireArgs } from '@purlin/contract/commands/request'
import type { OpShape } from '@purlin/contract/op'
import { operations, type OperationName } from '@purlin/contract/operations'
import { bare, type Node } from '@purlin/contract/schema'
import { CliError } from '../errors.ts'
import { sendForText } from '../http/send.ts'
import { parseJson } from '../output/json.ts'
import type { Run } from './operation.ts'
import { showValue } from './show.ts'

const everyMs = 1000
const defaultSeconds = 600

/** How the state of a resource is read. */
interface Watched {
  view: OpShape
  /** The parameter that names it. */
  key: string
  /** The field of its state, and the states that there are. */
  field: string
  states: readonly string[]
}

/** The state of the resource that an operation answers with; undefined if it has none. */
export function watchedOf(name: OperationName): Watched | undefined {
  const { response }: OpShape = operations[name]
  if (response?.node.kind !== 'ref') return undefined
  const { name: schema } = response.node
  const state = stateOf(response.node)
  const view = Object.entries(operations as Readonly<Record<string, OpShape>>).find(
    ([one, op]) =>
      op.response?.node.kind === 'ref' && op.response.node.name === schema && one.endsWith('View'),
  )
  const key = view && /\{(\w+)\}$/.exec(view[1].path)?.[1]
  return state && view && key !== undefined ? { view: view[1], key, ...state } : undefined
}

function stateOf(node: Node): Pick<Watched, 'field' | 'states'> | undefined {
  const inner = bare(node)
  const fields = inner.kind === 'object' ? inner.fields : []
  for (const field of ['run_state', 'state']) {
    const found = fields.find(({ wire }) => wire === field)
    const states = found ? bare(found.node) : undefined
    if (states?.kind === 'enum') return { field, states: states.values.map(String) }
    if (states?.kind === 'union') return { field, states: [...states.arms.keys()] }
  }
  return undefined
}

function stateIn({ field }: Watched, value: unknown): string {
  const state = (value as Record<string, unknown>)[field]
  return String(typeof state === 'object' && state !== null ? (state as { state: unknown }).state : state)
}

/** States that no other one follows without a further request. */
const ends = /^(failed|faulted|destroyed|canceled)$/

/** Waits until the resource of an answer is in the state of `--wait`, and shows it then. Throws CliError. */
export async function waitFor(run: Run, answer: unknown): Promise<void> {
  const { io, name, own } = run
  const watched = watchedOf(name)
  const state = own.wait ?? ''
  if (!watched?.states.includes(state))
    throw new CliError('usage', `--wait: expected one of ${watched?.states.join(', ') ?? 'no state'}`)
  const until = io.now() + Number(own.waitTimeout ?? defaultSeconds) * 1000
  let value = answer
  while (stateIn(watched, value) !== state) {
    const found = stateIn(watched, value)
    if (ends.test(found) && value !== answer)
      throw new CliError('conflict', `It is ${found}, and will not be ${state}`)
    if (io.now() >= until) throw new CliError('timeout', `It is still ${found}, not ${state}`)
    await io.sleep(everyMs)
    value = parseJson(
      await sendForText(run.server, requestOf(watched.view, targetOf(run, watched, value)), io.signal),
    )
  }
  await showValue({ ...run, op: watched.view }, value)
}

/** By its id, which needs no parents: those that the view requires come from the request. */
function targetOf({ args, name }: Run, { view, key }: Watched, value: unknown): WireArgs {
  const { id } = value as { id: string }
  const required = flagsOf(view, name).filter(({ part, isRequired }) => part === 'query' && isRequired)
  const query = Object.fromEntries(required.map(({ path }) => [path[0] ?? '', args.query?.[path[0] ?? '']]))
  return { params: { ...args.params, [key]: id }, query }
}
