import { globSync, readFileSync } from 'node:fs'
import { flagsOf, type Flag } from '@purlin/contract/commands/flags'
import { put, type WireArgs } from '@purlin/contract/commands/request'
import { commandWords } from '@purlin/contract/commands/text'
import { operations, type OperationName } from '@purlin/contract/operations'
import { PassThrough, Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { argumentsOf } from './commands/arguments.ts'
import { programOf, type Runs } from './commands/program.ts'
import { commandTree } from './commands/tree.ts'
import type { Io } from './io.ts'

const names = Object.keys(operations) as OperationName[]

const ioWith = (stdin: string): Io => ({
  env: {},
  stdin: Readable.from([Buffer.from(stdin)]),
  stdout: new PassThrough(),
  stderr: new PassThrough(),
  sleep: () => Promise.resolve(),
  now: () => 0,
  signal: new AbortController().signal,
})

/** The operation of a line, and its arguments as they would be sent. */
async function parsed(
  line: readonly string[],
  stdin = '',
): Promise<{ name: OperationName; args: WireArgs } | null> {
  const io = ioWith(stdin)
  const found: { name: OperationName; args: WireArgs }[] = []
  const runs: Runs = {
    operation: async (name, { flags: given, file, size }) => {
      // The server has the sizes.
      const flags = size === undefined ? given : { ...given, ncpus: ['2'], memory: ['8GiB'] }
      found.push({ name, args: await argumentsOf({ io, name, op: operations[name], flags, file }) })
    },
    local: () => Promise.resolve(),
  }
  await programOf(commandTree(), line, { io, runs }).parseAsync([...line], { from: 'user' })
  return found[0] ?? null
}

/** Whether a line is a command with flags that it has. What it needs may be left out. */
async function isRead(line: readonly string[]): Promise<boolean> {
  let isCommand = false
  const note = () => Promise.resolve(void (isCommand = true))
  const program = programOf(commandTree(), line, { io: ioWith(''), runs: { operation: note, local: note } })
  await program.parseAsync([...line], { from: 'user' }).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== 'commander.missingMandatoryOptionValue') throw error
    isCommand = true
  })
  return isCommand
}

/** A value that could be misread, where the field allows that. */
function sampleOf({ node, isNullable, isList }: Flag, index: number): unknown {
  if (isNullable && index % 3 === 0) return null
  const one = () => {
    switch (node.kind) {
      case 'integer':
        return -index
      case 'number':
        return index + 0.5
      case 'boolean':
        return index % 2 === 0
      case 'enum':
        return node.values[index % node.values.length]
      case 'string':
      case 'bytes':
      case 'base64':
      case 'time':
        return ['--json', '@x', "it's", '', 'a b\n', '[1]', 'null'][index % 7]
      default:
        return { key: index }
    }
  }
  return isList ? Array.from({ length: index % 3 }, one) : one()
}

it('every command that the contract writes is read as the same request', async () => {
  for (const [at, name] of names.entries()) {
    const args: WireArgs = {}
    for (const [i, flag] of flagsOf(operations[name], name).entries())
      if (flag.path.length < 2) put(args, flag, sampleOf(flag, at + i))
    const { words, input } = commandWords(name, args)
    if (words.includes('FILE')) continue
    const { params = {}, query = {}, body = {} } = args
    const read = await parsed(words.slice(1), input)
    const { params: p = {}, query: q = {}, body: b = {} } = read?.args ?? {}
    expect({ name: read?.name, params: p, query: q, body: b }, words.join(' ')).toEqual({
      name,
      params,
      query,
      body,
    })
  }
})

it('every command that the console shows is one', async () => {
  const root = new URL('../console/src', import.meta.url).pathname
  const sources = globSync(`${root}/**/*.tsx`).map((file) => readFileSync(file, 'utf8'))
  const shown = sources.flatMap((text) =>
    [...text.matchAll(/["'`](purlin [^"'`]*)["'`]/g)].map(([, command = '']) => command),
  )
  expect(shown.length).toBeGreaterThan(0)
  for (const command of shown) {
    const line = command
      .replaceAll(/\$\{\w+\}/g, 'x')
      .split(' ')
      .slice(1)
    expect(await parsed(line), command).not.toBeNull()
  }
})

/** The words of a line as a shell reads them. */
const wordsIn = (line: string): string[] =>
  [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, one?: string, two?: string) => one ?? two ?? ''),
  )

it('every command of the guide is one, and has all that it needs unless it is a part of one', async () => {
  const root = new URL('../../docs/guide', import.meta.url).pathname
  const pages = globSync(`${root}/*.md`).map((file) => readFileSync(file, 'utf8').replaceAll(/\\\n\s*/g, ''))
  const [blocks, inline] = [/^(?:npx )?purlin (.*)$/gm, /`purlin ([^`]*)`/g].map((command) =>
    pages.flatMap((text) =>
      [...text.matchAll(command)].map(([, line = '']) => wordsIn(line.replace(/^watch /, ''))),
    ),
  )
  const all = [...(inline ?? []), ...(blocks ?? [])].filter((line) => !line.includes('--help'))
  expect(all.length).toBeGreaterThan(20)
  const wrong: string[] = []
  for (const line of all) {
    const isPart = line.includes('…') || inline?.includes(line)
    const words = line.filter((word) => word !== '…')
    const read = isPart ? isRead(words) : parsed(words).then(() => isRead(words))
    await read.then(
      (isCommand) => isCommand || wrong.push(line.join(' ')),
      (error: unknown) => wrong.push(`${line.join(' ')}: ${String(error)}`),
    )
  }
  expect(wrong).toEqual([])
})
