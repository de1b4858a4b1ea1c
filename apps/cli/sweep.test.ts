/** Every operation of the contract through the command line, against a server over HTTP. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandWords } from '@purlin/contract/commands/text'
import { flagsOf } from '@purlin/contract/commands/flags'
import { put, requestOf, type WireArgs } from '@purlin/contract/commands/request'
import { valueFrom } from '@purlin/contract/commands/values'
import type { OpShape } from '@purlin/contract/op'
import { operations, type OperationName } from '@purlin/contract/operations'
import { mediaTypes } from '@purlin/contract/schemas/media-types'
import { openTestEngine, undoingEngine } from '@purlin/core/testing/engines'
import { createFixtures, createOwn, plausible } from '@purlin/core/testing/requests'
import { startServers, type TestServers } from '@purlin/server/testing/test-servers'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { exitCodes, failureOf } from './errors.ts'
import { parseJson } from './output/json.ts'
import type { Profiles } from './profiles/store.ts'
import { openShell, type Shell } from './testing/shell.ts'
import { signIn } from './testing/sign-in.ts'

const names = Object.keys(operations) as OperationName[]
let servers: TestServers
let shell: Shell
let env: Record<'PURLIN_HOST' | 'PURLIN_TOKEN', string>
let dry: { isOn: boolean }
/** The requests that the server has got. */
const received: string[] = []

beforeAll(async () => {
  const undoing = undoingEngine(await openTestEngine())
  dry = undoing.dry
  servers = await startServers({ world: { engine: undoing.engine, rack: { spare: 1 } } })
  const { world } = servers
  await createFixtures(world)
  await createOwn(world, world.cookieOf('fleetAdmin'))
  const { roleAssignments } = await world.as('admin').policyView()
  const role = {
    identityType: 'silo_user',
    identityId: world.ids['fleetAdmin'] ?? '',
    roleName: 'admin',
  } as const
  await world.as('admin').policyUpdate({ body: { roleAssignments: [...roleAssignments, role] } })
  servers.server.prependListener('request', ({ method, url }) => received.push(`${method} ${url}`))
  shell = openShell()
  const signedIn = await signIn({ shell, servers, who: 'fleetAdmin' })
  expect(signedIn).toMatchObject({ code: 0, out: '' })
  const { profiles } = JSON.parse(
    readFileSync(join(shell.home, 'purlin', 'profiles.json'), 'utf8'),
  ) as Profiles
  const { host = '', token = '' } = profiles['default'] ?? {}
  env = { PURLIN_HOST: host, PURLIN_TOKEN: token }
  received.length = 0
})
afterEach(() => expect(servers.world.errors).toEqual([]))
afterAll(async () => {
  shell.close()
  await servers.close()
})

/** The arguments of a request that makes sense. */
function argumentsFor(name: OperationName): { args: WireArgs; bytes?: string } {
  const op: OpShape = operations[name]
  const { url, body } = plausible(servers.world, name, 'name')
  const [path = '', search = ''] = url.split('?')
  const keys = [...op.path.matchAll(/\{(\w+)\}/g)].map(([, key = '']) => key)
  const values = new RegExp(`^${op.path.replaceAll(/\{\w+\}/g, '([^/]*)')}$`).exec(path) ?? []
  const params = Object.fromEntries(keys.map((key, i) => [key, decodeURIComponent(values[i + 1] ?? '')]))
  const query = fieldsIn(name, 'query', search)
  if (op.bodyType === mediaTypes.bytes) return { args: { params, query }, bytes: String(body) }
  if (op.bodyType === mediaTypes.form)
    return { args: { params, query, body: fieldsIn(name, 'body', String(body)) } }
  return { args: { params, query, ...(body === undefined ? {} : { body: parseJson(String(body)) }) } }
}

/** The fields of a query or a form. */
function fieldsIn(name: OperationName, part: 'query' | 'body', text: string): Record<string, unknown> {
  const args: { query?: unknown; body?: unknown } = { [part]: {} }
  const search = new URLSearchParams(text)
  for (const flag of flagsOf(operations[name], name)) {
    const texts = search.getAll(flag.path[0] ?? '')
    if (flag.part !== part || flag.path.length !== 1) continue
    if (texts.length > 0) put(args, flag, valueFrom(flag, texts))
    // A plausible request of the permission tests may lack a text.
    else if (flag.isRequired) put(args, flag, 'web')
  }
  return args[part] as Record<string, unknown>
}

/** Runs the command for a request, with the exit code that the answer to the request itself means. */
async function both(name: OperationName) {
  const op: OpShape = operations[name]
  const { args, bytes } = argumentsFor(name)
  const { words, input = '' } = commandWords(name, args)
  const file = join(shell.home, 'bytes')
  // Downloads replace no file.
  rmSync(file, { force: true })
  if (bytes !== undefined) writeFileSync(file, bytes)
  const line = words.slice(1).map((word) => (word === 'FILE' ? file : word))
  const request = requestOf(op, args)
  const headers = { ...request.headers, authorization: `Bearer ${env.PURLIN_TOKEN}` }
  const { status, text } = await servers.ask(request.url, {
    ...request,
    headers,
    body: bytes ?? request.body ?? '',
  })
  const [expected = ''] = received.splice(0)
  const ran = await shell.run([...line, '--json'], { stdin: input, env })
  const [found] = received.splice(0)
  return { status, text, expected, found, ran }
}

it('every operation is sent as the client sends it, and its exit code is that of the answer', async () => {
  dry.isOn = true
  let succeeded = 0
  for (const name of names.filter((one) => operations[one].ok !== 'upgrade')) {
    const { status, text, expected, found, ran } = await both(name)
    const about = `${name}: ${status} ${text.slice(0, 200)} ${ran.err}`
    expect(found, about).toBe(expected)
    expect(ran.code, about).toBe(status < 400 ? 0 : exitCodes[failureOf(status, text).kind][0])
    if (status < 400) succeeded++
    if (status >= 400) expect(ran.err, about).toMatch(/^Error: /)
  }
  expect(succeeded).toBeGreaterThan(300)
  dry.isOn = false
})
