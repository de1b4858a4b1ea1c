/** The commands about documents: export, plan and apply. */
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { buffer } from 'node:stream/consumers'
import { parse, stringify } from 'yaml'
import type { Options } from '../commands/local.ts'
import { CliError } from '../errors.ts'
import { apiOf, type Row } from '../http/api.ts'
import { note, write, type Io } from '../io.ts'
import { printable } from '@purlin/contract/commands/printable'
import { serverFor } from '../profiles/server.ts'
import { checkedDocument, readDocument, sourceOf } from './document.ts'
import { changesTo, deletionsFor, type Change } from './reconcile.ts'
import type { Source } from './section.ts'

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const apiFor = async (io: Io, options: Options) => apiOf(io, await serverFor(io, textOf(options['profile'])))

/** Writes a project, or the fleet, as one document. */
export async function exportDocument(io: Io, options: Options): Promise<void> {
  const project = textOf(options['project'])
  if ((project === undefined) === (options['system'] === undefined))
    throw new CliError('usage', 'give either --project or --system')
  const api = await apiFor(io, options)
  if (project !== undefined) await api.call('projectView', { params: { project } })
  const document = await readDocument(api, project)
  // Strings are quoted as JSON where a plain one could be read as something else, so controls are escaped too.
  await write(io.stdout, stringify(document, { lineWidth: 0, aliasDuplicateObjects: false }))
}

async function given(io: Io, options: Options): Promise<{ source: Source; document: Row }> {
  const file = String(options['file'])
  const text = file === '-' ? (await buffer(io.stdin)).toString() : readFileSync(file, 'utf8')
  let value: unknown
  try {
    value = parse(text)
  } catch (error) {
    throw new CliError('usage', `${file}: ${error instanceof Error ? error.message : String(error)}`)
  }
  return { document: checkedDocument(value), source: sourceOf(await apiFor(io, options)) }
}

const signs = { create: '+', update: '~', delete: '-', refuse: '!' } as const
const show = (io: Io, { kind, text }: Change): Promise<void> =>
  write(io.stdout, `${signs[kind]} ${printable(text)}\n`)

/** The changes, none of which is made. */
async function planned(source: Source, document: Row, prune: boolean): Promise<Change[]> {
  const changes: Change[] = []
  for await (const change of changesTo(source, document)) changes.push(change)
  const deletions = prune ? await deletionsFor(source, document) : []
  const { first = [], last = [] } = Object.groupBy(deletions, ({ isFirst }) => (isFirst ? 'first' : 'last'))
  return [...first, ...changes, ...last]
}

/** Shows the changes that would be made. */
export async function plan(io: Io, options: Options): Promise<void> {
  const { source, document } = await given(io, options)
  const changes = await planned(source, document, options['prune'] === true)
  for (const change of changes) await show(io, change)
  await note(io, changes.length === 0 ? 'There is nothing to change.' : summaryOf(changes))
  if (changes.length > 0 && options['exitCode'] === true)
    throw new CliError('differs', 'The plan has changes.')
}

function summaryOf(changes: readonly Change[]): string {
  const count = (kind: Change['kind']) => changes.filter((one) => one.kind === kind).length
  const parts = [
    [count('create'), 'to create'],
    [count('update'), 'to update'],
    [count('delete'), 'to delete'],
    [count('refuse'), 'that cannot be made'],
  ] as const
  return parts.flatMap(([n, words]) => (n > 0 ? [`${n} ${words}`] : [])).join(', ')
}

/** Makes the changes. It can be repeated after any failure, and then makes the rest. */
export async function apply(io: Io, options: Options): Promise<void> {
  const { source, document } = await given(io, options)
  const prune = options['prune'] === true
  const before = await planned(source, document, prune)
  const refused = before.filter(({ kind }) => kind === 'refuse')
  for (const change of refused) await show(io, change)
  if (refused.length > 0)
    throw new CliError(
      'refused',
      'Nothing was changed: do first what stands in the way, or adapt the document.',
    )
  const deletions = before.filter(({ kind }) => kind === 'delete')
  if (deletions.length > 0) await confirm(io, options, deletions)
  let count = 0
  // A plan cannot know the resources that the server creates with others.
  let left = 0
  const make = async (change: Change) => {
    await made(change)
    await show(io, change)
    if (change.kind === 'refuse') left++
    else count++
  }
  for (const change of deletions) if (change.isFirst) await make(change)
  for await (const change of changesTo(source, document)) await make(change)
  for (const change of deletions) if (!change.isFirst) await make(change)
  await note(io, count === 0 ? 'There is nothing to change.' : `${count} changed.`)
  if (left > 0) throw new CliError('refused', `${left} cannot be changed.`)
}

/** Makes a change. A failure names it, because the words of the server may not. */
async function made(change: Change): Promise<void> {
  try {
    await change.make()
  } catch (error) {
    if (error instanceof CliError) throw new CliError(error.kind, `${change.text}: ${error.message}`)
    throw error
  }
}

/** Asks before anything is deleted. Without a terminal, --yes must be given. */
async function confirm(io: Io, options: Options, deletions: readonly Change[]): Promise<void> {
  if (options['yes'] === true) return
  for (const change of deletions) await show(io, change)
  if (!io.stdin.isTTY) throw new CliError('usage', 'Deletions need --yes where no one can be asked.')
  const line = createInterface({ input: io.stdin, output: io.stderr })
  const answer = await line.question('Delete these? Type yes: ', { signal: io.signal })
  line.close()
  if (answer.trim() !== 'yes') throw new CliError('interrupted', 'Nothing was changed.')
}
