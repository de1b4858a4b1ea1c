import { flagWords } from '@purlin/cli/completion/complete'
import { commandTree, isCommand, nodeOf } from '@purlin/cli/commands/tree'
import { operations } from '@purlin/contract/operations'
import { joinCodeText } from '@purlin/contract/rules/credentials/hosts'
import { snake } from '@purlin/contract/wire'
import { readHostConfig } from '@purlin/server/host/host-flags'
import { readConfig } from '@purlin/server/process/config'
import { startServers, type TestServers } from '@purlin/server/testing/test-servers'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { flagProblem, helperFlags } from '../network-helper-flags.ts'
import { root } from '../repo.ts'

const run = promisify(execFile)
const folder = join(root, 'docs/guide')
/** The blocks of commands of a page. */
const blocksOf = (file: string): string[] =>
  [...readFileSync(join(folder, file), 'utf8').matchAll(/^ *```sh\n([^]*?)^ *```/gm)].map(([, text = '']) =>
    text.replaceAll(/^ {2,3}/gm, ''),
  )
const readme = '../../README.md'
const lines = [...readdirSync(folder), readme].flatMap((file) =>
  blocksOf(file)
    .join('')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => ({ file, line: line.replace(/ +#.*/, '').replace(/^sudo (?=npm run )/, '') })),
)
const argsOf = (start: string) =>
  lines.flatMap(({ file, line }) =>
    line.startsWith(start)
      ? [[file, line.slice(start.length).trim().split(/ +/).filter(Boolean)] as const]
      : [],
  )

/** Flags of some commands, in addition to those of the server. */
const ownFlags: Readonly<Record<string, readonly string[]>> = {
  backup: ['--to', '--keep'],
  restore: ['--from', '--backup'],
  recover: ['--silo', '--user'],
  audit: ['--head'],
  'allow-any': [],
  cluster: [],
}

const code = joinCodeText({
  url: 'https://cloud.example.org',
  id: '3f1c9a52-0000-4000-8000-000000000009',
  fingerprint: 'a'.repeat(64),
  secret: 'b'.repeat(64),
})

/** True if a command takes the flags. Throws for one that it does not take. */
function accepts(name: string, flags: string[]): boolean {
  if (name === 'host')
    return readHostConfig(flags.map((flag) => (flag === "'CODE'" ? code : flag))) !== undefined
  if (name === 'network-helper')
    return flagProblem(parseArgs({ args: flags, options: helperFlags }).values) === undefined
  // The preview has no flag in the guide, and pictures are taken by name.
  const own = ownFlags[name]
  if (!own) return flags.length === 0
  const rest = flags.filter((flag, i) => !own.includes(flag) && !own.includes(flags[i - 1] ?? ''))
  return readConfig(rest, {}).at === 'run'
}

let servers: TestServers
beforeAll(async () => (servers = await startServers()))
afterAll(() => servers.close())

it('the requests of the guide get a token, create a project and find it', async () => {
  const blocks = blocksOf('command-line.md').filter((text) => text.includes('curl'))
  const send = async (part: string, env: Record<string, string> = {}, change = (text: string) => text) => {
    const block = blocks.find((text) => text.includes(part)) ?? ''
    const text = change(block.replaceAll(/^export .*\n/gm, ''))
    const purlin = { PURLIN: `http://127.0.0.1:${servers.port}`, PATH: process.env['PATH'] ?? '' }
    const { stdout } = await run('sh', ['-c', text], { env: { ...purlin, ...env } })
    return JSON.parse(stdout) as Record<string, unknown>
  }
  const device = await send('/device/auth')
  await servers.world.as('admin').deviceAuthConfirm({ body: { userCode: String(device['user_code']) } })
  const withCode = (text: string) =>
    text.replace('device_code=…', `device_code=${String(device['device_code'])}`)
  const { access_token: token } = await send('/device/token', {}, withCode)
  const as = { TOKEN: String(token) }
  expect(await send('/v1/me"', as)).toMatchObject({ display_name: 'admin' })
  expect(await send('"name":"shop"', as)).toMatchObject({ name: 'shop', description: 'The shop' })
  const { items } = (await send('projects?limit', as)) as { items: { name: string }[] }
  expect(items.map(({ name }) => name)).toContain('shop')
})

it('every command of the guide exists, with its flags', () => {
  const starts = argsOf('npm start -- ')
  expect(starts.length).toBeGreaterThan(5)
  for (const [file, args] of starts)
    expect([file, args, readConfig([...args], {}).at]).toEqual([file, args, 'run'])
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  for (const [file, [name = '', ...args]] of argsOf('npm run ')) {
    expect([file, name, scripts[name]]).not.toContain(undefined)
    const flags = args[0] === '--' ? args.slice(1) : args
    expect([file, name, flags, accepts(name, flags)]).toEqual([file, name, flags, true])
  }
  const known = new Set([...Object.keys(operations).map(snake), 'login'])
  for (const [file, args] of argsOf('npx purlin ')) {
    const words = args.slice(0, args.findIndex((arg) => arg.startsWith('-')) >>> 0).join('_')
    expect([file, words, known.has(words)]).toEqual([file, words, true])
  }
})

/** Lines that no test runs or parses, each with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'mkdir -p .data-qemu': 'a program of the system',
  'sudo mkdir /opt/purlin': 'a program of the system',
  'git archive HEAD | sudo tar -x --no-same-owner -C /opt/purlin': 'needs a folder of root',
  'sudo npm ci --prefix /opt/purlin': 'downloads all packages: the first start does the same',
}
/** Commands in the text of a page that are programs of the system or of npm. */
const systemCommands = /^(?:apt-get install|systemctl|git pull|npm pack -w @purlin\/cli)/

it('each line of a block, and each command in the text, is run or parsed here, or is an exception', () => {
  const isLooked = (line: string) =>
    /^(?:npm start|npm run |npx purlin |purlin )/.test(line) || exceptions[line] !== undefined
  const starts = lines.flatMap(({ file, line }) => (/^[a-z]\S* /.test(line) ? [{ file, line }] : []))
  expect(starts.length).toBeGreaterThan(30)
  // The requests of the page of the command line are run above, with what they set.
  const isRequest = ({ file, line }: { file: string; line: string }) =>
    file === 'command-line.md' && /^(?:curl|export) /.test(line)
  expect(starts.filter((one) => !isLooked(one.line) && !isRequest(one))).toEqual([])
  const inText = [...readdirSync(folder), readme].flatMap((file) =>
    [
      ...readFileSync(join(folder, file), 'utf8').matchAll(
        /`((?:sudo|npm|npx|apt-get|systemctl|cp|git) [^`\n]+)`/g,
      ),
    ].map(([, command = '']) => ({ file, command: command.replace(/^sudo /, '') })),
  )
  expect(inText.length).toBeGreaterThan(10)
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const isKnown = (command: string) => {
    if (systemCommands.test(command)) return true
    const [npm, run, name = '', ...args] = command.split(/ +/)
    if (npm !== 'npm') return false
    const flags = (given: string[]) => (given[0] === '--' ? given.slice(1) : given)
    if (run === 'start')
      return readConfig(flags([name, ...args].filter(Boolean)).map(sample), {}).at === 'run'
    return run === 'run' && scripts[name] !== undefined && (args.length === 0 || accepts(name, flags(args)))
  }
  expect(inText.filter(({ command }) => !isKnown(command))).toEqual([])
})

/** A value for a placeholder. */
const sample = (word: string): string => (word === 'URL' ? 'postgres://purlin@db.internal/purlin' : word)

it('each command line with purlin is a command, with flags that it has', () => {
  const tree = commandTree()
  // Most of them are in blocks without a language.
  const commands = readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .replaceAll(/\\\n */g, '')
      .split('\n')
      .flatMap((line) => {
        const [, rest] = /^ *(?:npx )?purlin (.*)/.exec(line) ?? []
        return rest === undefined ? [] : [[file, rest.replace(/ #.*/, '').split(/ +/)] as const]
      }),
  )
  expect(commands.length).toBeGreaterThan(20)
  for (const [file, args] of commands) {
    const words = args.slice(0, args.findIndex((arg) => arg.startsWith('-')) >>> 0)
    const node = nodeOf(tree, words)
    // `--no-` before the name of a flag removes its value.
    const flags = args.filter((arg) => arg.startsWith('--')).map((arg) => arg.replace(/^--no-/, '--'))
    const wrong = flags.filter((flag) => !flagWords(node).includes(flag))
    expect([file, words.join(' '), isCommand(node), wrong]).toEqual([file, words.join(' '), true, []])
  }
})
