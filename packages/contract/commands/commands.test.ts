import { bare, type Node } from '../schema.ts'
import type { OpShape } from '../op.ts'
import { operations, type OperationName } from '../operations.ts'
import { execFileSync } from 'node:child_process'
import { ApiError, createClient } from '../client.ts'
import { GiB } from '../rules/limits.ts'
import { expect, it } from 'vitest'
import { flagsOf } from './flags.ts'
import { requestOf } from './request.ts'
import { commandText, quoted, requestText, wireArgs } from './text.ts'
import { FlagError, mayBeFile, textsOf, valueFrom } from './values.ts'
import { wordsOf } from './words.ts'

const names = Object.keys(operations) as OperationName[]
const shapes: Readonly<Record<string, OpShape>> = operations

it('every operation has words that no other one has', () => {
  const words = names.map((name) => wordsOf(name).join(' '))
  expect(words.filter((one, i) => words.indexOf(one) !== i)).toEqual([])
  expect(words).toContain('instance list of silo')
})

it('every field of an operation has a flag that no other one has, and none of the flags of all commands', () => {
  const own = ['all', 'help', 'json', 'output', 'profile', 'wait', 'wait-timeout']
  for (const name of names) {
    const flags = flagsOf(operations[name], name).map((flag) => flag.name)
    const taken = [...own, ...(shapes[name]?.body ? ['file'] : [])]
    expect(
      flags.filter((one, i) => flags.indexOf(one) !== i || taken.includes(one) || one.startsWith('no-')),
      name,
    ).toEqual([])
  }
})

/** Values of a node, such as could be misread. */
function samples(node: Node): unknown[] {
  const inner = bare(node)
  switch (inner.kind) {
    case 'integer':
      return [0, 1536, 4 * GiB, -7, 2n ** 60n + 1n]
    case 'number':
      return [1.5, -2]
    case 'boolean':
      return [true, false]
    case 'enum':
      return [...inner.values]
    case 'string':
    case 'time':
    case 'bytes':
    case 'base64':
      return [
        'web',
        '',
        'null',
        '@file',
        '@@',
        '[]',
        '[1]',
        '{"a":1}',
        '-x',
        '--json',
        "it's",
        '4GiB',
        'a\nb',
      ]
    default:
      return [{}, { a: [1, '@'] }, [], 'text', 7, '@']
  }
}

it('every flag of every operation gives back the values that its text was made of', () => {
  for (const name of names)
    for (const flag of flagsOf(operations[name], name)) {
      const items = samples(flag.node)
      const values = [
        ...(flag.isNullable ? [null] : []),
        ...(flag.isList ? [[], items, ...items.map((one) => [one])] : items),
      ]
      for (const value of values) {
        const texts = textsOf(flag, value)
        // The command line reads a file for `@FILE`, and takes one of two away.
        const given = texts && mayBeFile(flag) ? texts.map((text) => text.replace(/^@@/, '@')) : texts
        expect(given === undefined ? undefined : valueFrom(flag, given), `${name} --${flag.name}`).toEqual(
          value,
        )
      }
    }
})

const flagOf = (name: OperationName, flag: string) => {
  const found = flagsOf(operations[name], name).find((one) => one.name === flag)
  if (!found) throw new Error(`no --${flag}`)
  return found
}

it('a text that is no value says which values are', () => {
  const refused = (name: OperationName, flag: string, text: string) => () =>
    valueFrom(flagOf(name, flag), [text])
  expect(refused('instanceCreate', 'ncpus', 'two')).toThrow(new FlagError('expected a whole number'))
  expect(refused('instanceCreate', 'memory', '4GB')).toThrow('such as 4GiB')
  expect(refused('instanceCreate', 'cpu-platform', 'z80')).toThrow('expected amd_milan or amd_turin')
  expect(refused('instanceCreate', 'start', 'no')).toThrow('expected true or false')
  expect(refused('instanceCreate', 'disks', '{')).toThrow('expected JSON')
  expect(() => valueFrom(flagOf('instanceCreate', 'name'), false)).toThrow('cannot be empty')
})

it('a command is a line for a shell', () => {
  const args = wireArgs('diskCreate', {
    query: { project: 'demo' },
    body: {
      name: 'data',
      description: "the boss's disk",
      size: 4 * GiB,
      diskSource: { type: 'blank', blockSize: 512 },
    },
  })
  expect(commandText('diskCreate', args)).toBe(
    `purlin disk create --project demo --name data --description 'the boss'\\''s disk' --size 4GiB --disk-source.type blank --disk-source.block-size 512`,
  )
  expect(commandText('diskBlocksWrite', { params: { disk: 'data' }, query: { offset: 0 } })).toBe(
    'purlin disk blocks write --disk data --offset 0 --file FILE',
  )
  expect(
    commandText(
      'siloQuotasUpdate',
      wireArgs('siloQuotasUpdate', { params: { silo: 'a' }, body: { cpus: null, memory: 2n ** 60n + 1n } }),
    ),
  ).toBe('purlin silo quotas update --silo a --no-cpus --memory 1152921504606846977')
  expect(commandText('projectCreate', { body: { name: null } })).toBe(
    `purlin project create --file - <<'END'\n{\n  "name": null\n}\nEND`,
  )
  expect(quoted('$(reboot)')).toBe("'$(reboot)'")
})

it('a shell reads each word back, and no terminal carries anything out when it is pasted', () => {
  const words = ["it's", 'a\nb', '\u001b[201~reboot\r', "'\t'\u007f%s\\n$(x)", '\u009b2J\u202egnp.exe\u2069']
  const line = words.map(quoted).join(' ')
  expect(line).not.toMatch(/[^\P{Cc}\n]|[\u2028-\u202e\u2066-\u2069]/u)
  expect(execFileSync('sh', ['-c', `printf '%s|' ${line}`], { encoding: 'utf8' })).toBe(`${words.join('|')}|`)
  const args = { body: { name: null, description: words.join('') } }
  const texts = [commandText('projectCreate', args), requestText('projectCreate', args, 'cloud.example.org')]
  for (const text of texts) {
    expect(text).not.toMatch(/[^\P{Cc}\n]|\u202e/u)
    expect(JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))).toEqual(args.body)
  }
})

it('no value of a path makes it the path of another operation', async () => {
  const client = createClient(operations, () => Promise.reject(new Error('sent')))
  for (const disk of ['', '.', '..']) {
    const sent = () => requestOf(operations.diskDelete, { params: { disk } })
    expect(sent).toThrow(new FlagError(`--disk: "${disk}" cannot be a name`))
    const called = client.diskDelete({ params: { disk }, query: {} })
    await expect(called).rejects.toThrow(ApiError)
    await expect(called).rejects.toThrow(`disk: "${disk}" cannot be a name`)
  }
  expect(requestOf(operations.diskDelete, { params: { disk: 'a..' } }).url).toBe('/v1/disks/a..')
})

it('a request is a message of HTTP, without a token', () => {
  const args = wireArgs('projectUpdate', { params: { project: 'a b' }, body: { description: 'x' } })
  expect(requestText('projectUpdate', args, 'cloud.example.org')).toBe(
    [
      'PUT /v1/projects/a%20b HTTP/1.1',
      'Host: cloud.example.org',
      'Authorization: Bearer $PURLIN_TOKEN',
      'Content-Type: application/json',
      '',
      '{\n  "description": "x"\n}',
    ].join('\n'),
  )
})

it('no command and no request shows a secret', () => {
  const secret = 'do-not-tell'
  const bodies = {
    certificateCreate: { name: 'a', description: '', cert: 'pem', key: secret, service: 'external_api' },
    localIdpUserSetPassword: { mode: 'password', value: secret },
    webhookReceiverCreate: {
      name: 'a',
      description: '',
      endpoint: 'https://hooks.example.org',
      secrets: [secret],
      subscriptions: [],
    },
    oidcIdentityProviderUpdate: { client_secret: secret },
    samlIdentityProviderCreate: { name: 'a', signing_keypair: { public_cert: 'der', private_key: secret } },
    loginLocal: { username: 'a', password: secret },
    loginSecondFactor: { type: 'recovery_code', code: secret },
    networkingSwitchPortSettingsCreate: {
      name: 'a',
      bgp_peers: [{ link_name: 'a', peers: [{ addr: '10.0.0.1', md5_auth_key: secret }] }],
    },
  } as const
  for (const [name, body] of Object.entries(bodies)) {
    const args = { params: { silo_name: 'a', user_id: 'a', provider: 'a' }, body }
    const command = commandText(name as OperationName, args)
    const request = requestText(name as OperationName, args, 'cloud.example.org')
    expect(command + request).not.toContain(secret)
    expect(command).toMatch(/@FILE|SECRET/)
    expect(request).toContain('SECRET')
  }
})

/** The texts in a value that are no secrets, by their names on the wire. */
function* textsIn(node: Node, name: string): Generator<string> {
  const inner = bare(node)
  switch (inner.kind) {
    case 'string':
      if (!inner.isSecret) yield name
      break
    case 'nullable':
      return yield* textsIn(inner.inner, name)
    case 'array':
      return yield* textsIn(inner.item, name)
    case 'record':
      return yield* textsIn(inner.value, name)
    case 'object':
      for (const { node: one, wire } of inner.fields) yield* textsIn(one, wire)
      break
    case 'union':
      for (const arm of inner.arms.values()) yield* textsIn(arm, name)
      break
    default:
  }
}

it('a field by the name of a password, key, token, code or secret holds one', () => {
  const texts = Object.values(shapes).flatMap(({ query, body }) =>
    [query, body].flatMap((schema) => (schema ? [...textsIn(schema.node, '')] : [])),
  )
  const shown = new Set(texts.filter((name) => /pass|key|token|code|secret/.test(name)))
  // The code of ICMP, the ids of join codes, places in lists, public keys, and the code that a user reads from another screen.
  expect([...shown].toSorted()).toEqual([
    'code',
    'code_id',
    'page_token',
    'public_key',
    'ssh_public_keys',
    'user_code',
  ])
})
