/** The rules of the command line, in one world: sign-in and profiles, answers, errors, states and consoles. */
import { readFileSync, statSync, writeFileSync, chmodSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { GiB } from '@purlin/contract/rules/limits'
import { inDb } from '@purlin/core/testing/networks/networks'
import { startServers, type TestServers } from '@purlin/server/testing/test-servers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openShell, type HowToRun, type Ran, type Shell } from './testing/shell.ts'
import { signIn } from './testing/sign-in.ts'

let servers: TestServers
let shell: Shell

beforeAll(async () => {
  servers = await startServers()
  shell = openShell()
  expect(await signIn({ shell, servers, who: 'admin' })).toMatchObject({ code: 0, out: '' })
})
afterAll(async () => {
  expect(servers.world.errors).toEqual([])
  shell.close()
  await servers.close()
})

const purlin = (line: string, how?: HowToRun): Promise<Ran> => shell.run(line.split(' '), how)
const file = () => join(shell.home, 'purlin', 'profiles.json')
const host = () => `http://127.0.0.1:${servers.port}`
const token = () =>
  (JSON.parse(readFileSync(file(), 'utf8')) as { profiles: { default: { token: string } } }).profiles.default
    .token

describe('profiles', () => {
  it('are in a file that only the user can read, in a folder of the same kind', () => {
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    expect(statSync(join(shell.home, 'purlin')).mode & 0o777).toBe(0o700)
  })

  it('are refused if other users can read them', async () => {
    chmodSync(file(), 0o644)
    expect(await purlin('project list')).toMatchObject({
      code: 2,
      err: expect.stringContaining('chmod 600') as string,
    })
    chmodSync(file(), 0o600)
  })

  it('are listed without tokens, chosen, and removed with their token', async () => {
    await shell.run(['login', '--host', host(), '--profile', 'other'], {
      sleep: async (_, notes) => {
        const [, userCode = ''] = /enter (\S+)/.exec(notes) ?? []
        await servers.world.as('viewer').deviceAuthConfirm({ body: { userCode } })
      },
    })
    const { out } = await purlin('profile list')
    expect(out).toContain(`* other  ${host()}  viewer  no expiry`)
    expect(out).not.toContain(token())
    expect(await purlin('profile use --profile default')).toMatchObject({ code: 0 })
    expect((await purlin('current user view --json --profile other')).out).toContain(
      '"display_name": "viewer"',
    )
    expect(await purlin('profile remove --profile other')).toMatchObject({ code: 0, err: '' })
    expect((await servers.world.as('viewer').currentUserAccessTokenList({ query: {} })).items).toEqual([])
    expect(await purlin('profile use --profile other')).toMatchObject({
      code: 2,
      err: 'Error: no profile other\n',
    })
  })

  it('give way to variables, whose token is sent to no other server', async () => {
    const env = { PURLIN_HOST: host() }
    expect(await purlin('project list', { env })).toMatchObject({ code: 3 })
    expect(await purlin('project list', { env: { ...env, PURLIN_TOKEN: token() } })).toMatchObject({
      code: 0,
    })
    expect(await purlin('project list', { env: { PURLIN_TOKEN: token() } })).toMatchObject({ code: 2 })
  })

  it.each([
    'ftp://example.org',
    ['https:/', 'name:word@example.org'].join('/'),
    'https://example.org/path',
    'https://example.org?x=1',
    '',
  ])('refuse the server %s', async (to) => {
    expect(await shell.run(['login', '--host', to])).toMatchObject({
      code: 2,
      err: expect.stringContaining('expected the address') as string,
    })
  })

  it('warn of a server without TLS on another machine', async () => {
    const { err } = await purlin('ping', { env: { PURLIN_HOST: 'http://purlin.invalid' } })
    expect(err).toMatch(/^Warning: http:\/\/purlin.invalid is not encrypted/)
  })
})

describe('an answer', () => {
  it('is a table for people that fits the terminal, and JSON for programs', async () => {
    expect((await purlin('project list')).out).toMatch(
      /^NAME +TIME CREATED +ID +TIME MODIFIED +DESCRIPTION +PROTECTED\ndemo /,
    )
    expect((await purlin('project list', { columns: 30 })).out).toMatch(/^NAME +TIME CREATED\ndemo +\S+Z\n$/)
    const { items } = JSON.parse((await purlin('project list --json')).out) as { items: { name: string }[] }
    expect(items.map(({ name }) => name)).toEqual(['demo'])
    expect((await purlin('project view --project demo')).out).toMatch(/^id +[0-9a-f-]{36}\nname +demo\n/m)
  })

  it('has a field that a flag asks for after the name, and otherwise not', async () => {
    const head = async (flags: string) => (await purlin(`image list --project demo${flags}`)).out
    expect(await head(' --total-disks')).toMatch(/^NAME +TOTAL DISKS +TIME CREATED /)
    expect(await head('')).toMatch(/^NAME +TIME CREATED /)
    expect(await head('')).not.toContain('TOTAL DISKS')
  })

  it('of the audit log says in words what was changed', async () => {
    const query = { project: 'demo' }
    const { diskCreate, diskDelete } = servers.world.as('admin')
    const diskSource = { type: 'blank', blockSize: 512 } as const
    const { id } = await diskCreate({
      query,
      body: { name: 'grown', description: '', size: GiB, diskSource },
    })
    expect(await purlin('disk update --project demo --disk grown --size 3GiB')).toMatchObject({ code: 0 })
    const { out } = await purlin(`resource activity --resource disk:${id}`)
    expect(out).toMatch(/^WHAT +.*\nenlarged disk grown from 1 to 3 GiB +\S.*\ncreated disk grown +\S.*\n$/)
    await diskDelete({ params: { disk: id }, query: {} })
  })

  it('shows that there are more pages, and all of them on demand', async () => {
    for (const name of ['one', 'two'])
      await servers.world.as('admin').projectCreate({ body: { name, description: '' } })
    expect((await purlin('project list --limit 2')).err).toBe('There are more. Use --all for all of them.\n')
    expect(
      (await purlin('project list --limit 1 --all')).out
        .split('\n')
        .slice(1, 4)
        .map((line) => line.split(' ')[0]),
    ).toEqual(['demo', 'one', 'two'])
    const { items } = JSON.parse((await purlin('project list --limit 1 --all --json')).out) as {
      items: unknown[]
    }
    expect(items).toHaveLength(3)
  })

  it('is a file that only the user can read, and replaces none', async () => {
    const output = join(shell.home, 'projects.csv')
    const line = `list export --list /v1/projects --format csv --output ${output}`
    expect(await purlin(line)).toMatchObject({ code: 0 })
    expect(statSync(output).mode & 0o777).toBe(0o600)
    expect((await purlin(line)).err).toContain('EEXIST')
  })

  it('that leads to another address shows no control character of it', async () => {
    const other = createServer((_, response) => response.writeHead(302, { location: '/\u009b2J' }).end())
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const env = {
      PURLIN_HOST: `http://127.0.0.1:${(other.address() as AddressInfo).port}`,
      PURLIN_TOKEN: 'x',
    }
    const { out } = await purlin('login oidc begin --silo-name acme --provider-name x', { env })
    other.close()
    expect(out).toBe('/\\u009b2J\n')
  })

  it('has no control character that a terminal would carry out', async () => {
    const description = '\u001b]0;owned\u0007 \u202egnp.exe \u009b2J'
    await servers.world.as('admin').projectUpdate({ params: { project: 'one' }, body: { description } })
    const table = (await purlin('project list')).out
    const json = (await purlin('project view --project one --json')).out
    for (const text of [table, json]) expect(text).not.toMatch(/[^\P{Cc}\n]|\u202e/u)
    expect(table).toContain('\\u001b]0;owned\\u0007')
    expect((JSON.parse(json) as { description: string }).description).toBe(description)
  })
})

describe('a failure has words and the exit code of its kind', () => {
  it.each([
    ['project view --project nope', 5, 'Error: not found: project with name "nope"'],
    ['project create --name demo --description x', 6, 'Error: already exists: project "demo"'],
    ['project create --name -x --description x', 7, 'Error: '],
    ['silo list', 4, 'Error: Forbidden'],
    ['project view', 2, 'Error: missing: --project'],
    ['disk delete --disk ..', 2, 'Error: --disk: ".." cannot be a name'],
    ['project view --nope', 2, "error: unknown option '--nope'"],
    ['project viw', 2, 'Did you mean view?'],
    ['instance list --project demo --limit x', 2, 'Error: --limit: expected a whole number'],
    ['project create --file /nowhere.json', 2, 'Error: ENOENT'],
  ])('%s', async (line, code, err) => {
    const ran = await purlin(line)
    expect([ran.code, ran.err]).toEqual([code, expect.stringContaining(err)])
  })

  it('of a server that cannot be reached', async () => {
    expect(await purlin('ping', { env: { PURLIN_HOST: 'http://127.0.0.1:1' } })).toMatchObject({ code: 8 })
  })
})

describe('a body', () => {
  it('comes from a file or standard input, and flags replace its fields', async () => {
    const body = JSON.stringify({ name: 'filed', description: 'of the file' })
    expect(await purlin('project create --file - --description flagged', { stdin: body })).toMatchObject({
      code: 0,
    })
    expect((await purlin('project view --project filed')).out).toContain('flagged')
    const yaml = join(shell.home, 'body.yaml')
    writeFileSync(yaml, 'name: from-yaml\ndescription: x\n')
    expect(await purlin(`project create --file ${yaml}`)).toMatchObject({ code: 0 })
  })

  it('has values from files, which keeps secrets out of the list of processes', async () => {
    const text = join(shell.home, 'text')
    writeFileSync(text, 'from a file\n')
    await purlin(`project update --project filed --description @${text}`)
    expect((await purlin('project view --project filed')).out).toContain('from a file\n')
    await purlin('project update --project filed --description @@home')
    expect((await purlin('project view --project filed')).out).toMatch(/description +@home/)
  })
})

describe('an instance', () => {
  const create = `instance create --project demo --name web --description x --ncpus 1 --memory 1GiB --hostname web --network-interfaces.type none`

  it('is waited for until it is in a state', async () => {
    const sleep = () => servers.world.advance(1000)
    const ran = await purlin(`${create} --wait running`, { sleep })
    expect(ran).toMatchObject({ code: 0, out: expect.stringMatching(/^run state +running$/m) as string })
    expect(await purlin('instance stop --project demo --instance web --wait nope')).toMatchObject({ code: 2 })
    const late = await purlin('instance start --project demo --instance web --wait stopped --wait-timeout 0')
    expect(late.code).not.toBe(0)
  })
})

describe('an update that replaces all values', () => {
  const at = { params: { instance: 'kept' }, query: { project: 'demo' } }
  const update = 'instance update --project demo --instance kept'

  it('changes the named ones and keeps the others, which may be removed', async () => {
    const admin = servers.world.as('admin')
    await purlin(
      'instance create --project demo --name kept --description x --ncpus 2 --memory 3GiB --hostname kept --start false --auto-restart-policy never --network-interfaces.type none',
    )
    const before = await admin.instanceView(at)
    expect(await purlin(`${update} --description renamed`)).toMatchObject({ code: 0, err: '' })
    const { timeModified: _, ...renamed } = await admin.instanceView(at)
    expect({ ...before, ...renamed }).toEqual({ ...before, description: 'renamed' })
    expect(await purlin(`${update} --ncpus 4 --no-auto-restart-policy`)).toMatchObject({ code: 0 })
    expect(await admin.instanceView(at)).toMatchObject({
      ncpus: 4,
      memory: 3 * GiB,
      autoRestartPolicy: null,
    })
  })

  it('without any change names what is missing', async () => {
    expect(await purlin(update)).toMatchObject({
      code: 2,
      err: expect.stringContaining('missing: --ncpus') as string,
    })
  })

  it('is refused if another user has changed the resource since it was read', async () => {
    const proxy = createServer((request, response) => {
      void (async () => {
        const none = { bootDisk: null, autoRestartPolicy: null, cpuPlatform: null }
        if (request.method === 'PUT')
          await servers.world
            .as('admin')
            .instanceUpdate({ ...at, body: { ncpus: 1, memory: 3 * GiB, ...none } })
        const sent = await buffer(request)
        const { host: _, connection: __, ...headers } = request.headers
        const answer = await fetch(`${host()}${request.url}`, {
          method: request.method ?? 'GET',
          headers: headers as Record<string, string>,
          ...(sent.length > 0 ? { body: new Uint8Array(sent) } : {}),
        })
        response.writeHead(answer.status, { etag: answer.headers.get('etag') ?? '' })
        response.end(await answer.text())
      })()
    })
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
    const env = {
      PURLIN_HOST: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      PURLIN_TOKEN: token(),
    }
    expect(await purlin(`${update} --memory 1GiB`, { env })).toMatchObject({ code: 6 })
    proxy.close()
    expect(await servers.world.as('admin').instanceView(at)).toMatchObject({ ncpus: 1, memory: 3 * GiB })
  })
})

describe('a size that operators keep', () => {
  const at = { params: { instance: 'sized' }, query: { project: 'demo' } }
  const create = (flags: string) =>
    purlin(
      `instance create --project demo --name sized --description x --hostname web --start false ${flags}`,
    )
  const sizeOf = async (size: string) => {
    const { ncpus, memory } = await servers.world.as('fleetAdmin').machineSizeView({
      params: { machineSize: size },
    })
    return { ncpus, memory }
  }

  it('is that of a new instance, and another one resizes it and keeps the rest', async () => {
    expect(await create('--size cpu-2')).toMatchObject({ code: 0 })
    const made = await servers.world.as('admin').instanceView(at)
    expect(made).toMatchObject(await sizeOf('cpu-2'))
    expect(await purlin('instance update --project demo --instance sized --size general-4')).toMatchObject({
      code: 0,
    })
    expect(await servers.world.as('admin').instanceView(at)).toMatchObject({
      ...(await sizeOf('general-4')),
      description: made.description,
    })
  })

  it.each([
    ['--size middle', 'there is no size middle; use general-2, cpu-2, '],
    ['--size cpu-2 --ncpus 2', 'either --size or --ncpus and --memory'],
  ])('is refused before anything is sent: %s', async (flags, message) => {
    const { code, err } = await create(flags)
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
  })
})

describe('a template of user data', () => {
  const text = '#cloud-config\nhostname: <<<host>>>\nkeys: <<<keys>>>\npassword: <<<password>>>\n'
  const create = (name: string) =>
    `instance create --project demo --name ${name} --description x --ncpus 1 --memory 1GiB --hostname web --start false --template base`
  const userData = async (name: string) => {
    const at = { params: { instance: name }, query: { project: 'demo' } }
    const { id } = await servers.world.as('admin').instanceView(at)
    const row = await inDb(servers.world, (tx) =>
      tx.selectFrom('instance').select('userData').where('id', '=', id).executeTakeFirstOrThrow(),
    )
    return Buffer.from(row.userData, 'base64').toString()
  }

  beforeAll(async () => {
    const fields = [
      { name: 'host', type: 'text', default: 'web-1' },
      { name: 'keys', type: 'ssh_keys' },
      { name: 'password', type: 'secret', required: true },
    ] as const
    const body = { name: 'base', description: '', text, fields: [...fields] }
    await servers.world.as('admin').userDataTemplateCreate({ query: { project: 'demo' }, body })
  })

  it('is filled in for a new instance, with defaults and values, and those of files', async () => {
    const secret = join(shell.home, 'secret')
    writeFileSync(secret, 'a: "b"\n')
    expect(await purlin(`${create('filled')} --field host=db=1 --field password=@${secret}`)).toMatchObject({
      code: 0,
    })
    expect(await userData('filled')).toBe(
      '#cloud-config\nhostname: "db=1"\nkeys: []\npassword: "a: \\"b\\""\n',
    )
    expect(await purlin(`${create('usual')} --field password=x`)).toMatchObject({ code: 0 })
    expect(await userData('usual')).toContain('hostname: "web-1"')
  })

  it.each([
    ['', 'password: a value is needed'],
    [' --field password', 'password is not NAME=VALUE'],
    [' --field password=x --field other=y', 'there is no field other'],
    [' --field password=x --field keys=y', 'template base: keys: '],
    [' --field password=x --user-data YQ==', 'either --template or --user-data'],
  ])('with wrong fields is refused before anything is created:%s', async (flags, message) => {
    const { code, err } = await purlin(create('wrong') + flags)
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
  })

  it('that is missing is not found, and fields need one', async () => {
    expect(await purlin(create('wrong').replace('base', 'other'))).toMatchObject({ code: 5 })
    const { err } = await purlin(`${create('wrong').replace(' --template base', '')} --field a=b`)
    expect(err).toContain('--field: only with --template')
  })
})
