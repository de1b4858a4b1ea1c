import { execFile } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aboutOperation } from '@purlin/contract/about/operations'
import { wordsOf } from '@purlin/contract/commands/words'
import { operations, type OperationName } from '@purlin/contract/operations'
import { build } from './build.ts'
import { candidates, flagWords } from './completion/complete.ts'
import { scripts } from './completion/scripts.ts'
import { commandTree, isCommand, type CommandNode } from './commands/tree.ts'
import { texts } from './commands/texts.ts'
import { version } from './version.ts'
import { openShell, type Shell } from './testing/shell.ts'

let shell: Shell
beforeAll(() => void (shell = openShell()))
afterAll(() => shell.close())

/** Every command with its title and flags. */
function* commandsIn(node: CommandNode, path: readonly string[]): Generator<string> {
  if (isCommand(node)) {
    const title = node.operation ? texts.title(node.operation) : node.local?.about
    yield `${path.join(' ')}: ${title}\n  ${flagWords(node).join(' ')}\n`
  }
  const children = [...node.children.values()].toSorted((a, b) => (a.word < b.word ? -1 : 1))
  for (const child of children) yield* commandsIn(child, [...path, child.word])
}

it('the commands are these: those of all operations, and no others but those of the command line', async () => {
  const all = [...commandsIn(commandTree(), ['purlin'])]
  await expect(all.join('')).toMatchFileSnapshot('./testing/commands.golden.txt')
  const own = new Set(
    (Object.keys(operations) as OperationName[]).map((name) => ['purlin', ...wordsOf(name)].join(' ')),
  )
  expect(all.filter((line) => own.has(line.split(':', 1)[0] ?? '')).length).toBe(own.size)
})

it('the help shows the sentences of the contract', async () => {
  const lines = [
    [],
    ['instance'],
    ['instance', 'create'],
    ['instance', 'list'],
    ['ip', 'pool', 'range', 'add'],
    ['login'],
    ['apply'],
  ]
  const shown: string[] = []
  for (const line of lines) {
    const { code, out } = await shell.run([...line, '--help'])
    expect(code).toBe(0)
    shown.push(`$ purlin ${[...line, '--help'].join(' ')}\n${out}`)
  }
  await expect(shown.join('\n')).toMatchFileSnapshot('./testing/help.golden.txt')
  expect(shown.join('')).toContain(aboutOperation('instanceList').split('.')[0])
})

it('the completion knows commands, flags and values', () => {
  expect(candidates(['inst'])).toEqual(['instance'])
  expect(candidates(['instance', 'st'])).toEqual(['start', 'stop'])
  expect(candidates(['instance', 'create', '--boot-disk.ty'])).toEqual(['--boot-disk.type'])
  expect(candidates(['instance', 'create', '--cpu-platform', ''])).toEqual(['amd_milan', 'amd_turin'])
  expect(candidates(['instance', 'stop', '--wait', 'stop'])).toEqual(['stopping', 'stopped'])
  expect(candidates(['watch', 'instance', 'lis'])).toEqual(['list'])
  expect(candidates(['nope', ''])).toEqual([])
})

it('the scripts of the shells are these', async () => {
  const all = Object.entries(scripts).map(([shell, script]) => `# ${shell}\n${script}`)
  await expect(all.join('\n')).toMatchFileSnapshot('./testing/completion.golden.txt')
})

it('the package runs without the repository', async () => {
  await build(join(shell.home, 'dist'))
  copyFileSync(new URL('purlin.js', import.meta.url), join(shell.home, 'purlin.js'))
  writeFileSync(join(shell.home, 'package.json'), '{"type":"module"}')
  const { stdout } = await promisify(execFile)(process.execPath, [join(shell.home, 'purlin.js'), '--version'])
  expect(stdout).toBe(`${version}\n`)
  expect(readFileSync(new URL('package.json', import.meta.url), 'utf8')).toContain(`"version": "${version}"`)
})
