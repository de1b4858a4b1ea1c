/** Commands that take a while: consoles, uploads, watching, and documents, in one world. */
import { once } from 'node:events'
import { readFileSync, utimesSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { startServers, type TestServers } from '@purlin/server/testing/test-servers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { parse, stringify } from 'yaml'
import { GiB, MiB } from '@purlin/contract/rules/limits'
import { createEscape } from './console/escape.ts'
import { openShell, type HowToRun, type Ran, type Shell } from './testing/shell.ts'
import { signIn } from './testing/sign-in.ts'

let servers: TestServers
let shell: Shell
const query = { project: 'demo' }
const purlin = (line: string, how?: HowToRun): Promise<Ran> => shell.run(line.split(' '), how)
const pass = () => servers.world.advance(1000)
const admin = () => servers.world.as('admin')

beforeAll(async () => {
  servers = await startServers()
  shell = openShell()
  expect(await signIn({ shell, servers, who: 'admin' })).toMatchObject({ code: 0 })
  const web =
    'instance create --project demo --name web --description x --ncpus 1 --memory 1GiB --hostname web'
  expect(
    await purlin(`${web} --network-interfaces.type default --wait running`, { sleep: pass }),
  ).toMatchObject({ code: 0 })
})
afterAll(async () => {
  expect(servers.world.errors).toEqual([])
  shell.close()
  await servers.close()
})

describe('the serial console', () => {
  const attach = 'instance serial console --project demo --instance web'

  it('shows the output, sends input, and ends with the sequence that leaves it', async () => {
    const { code, out } = await purlin(attach, { stdin: 'whoami\r~.' })
    expect(code).toBe(0)
    expect(out).toContain('Purlin firmware')
  })

  it('shows its history without carrying out controls in a terminal', async () => {
    expect(
      (await purlin('instance serial history --project demo --instance web --from-start 0')).out,
    ).toContain('Purlin firmware')
    expect(
      (await purlin('instance serial history --project demo --instance web --from-start 0', { columns: 80 }))
        .out,
    ).not.toContain('\u001b')
  })

  it('is refused like any other request', async () => {
    expect(await purlin('instance serial console --project demo --instance nope')).toMatchObject({ code: 5 })
  })

  it('connects again after a failure, without what was printed before', async () => {
    const urls: string[] = []
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    server.on('connection', (socket, { url = '' }) => {
      urls.push(url)
      socket.send(new Uint8Array())
      socket.send(Buffer.from(`part ${urls.length}`))
      if (urls.length === 1) socket.once('message', () => socket.terminate())
    })
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const leave = new AbortController()
    const ran = await purlin(attach, {
      env: { PURLIN_HOST: `http://127.0.0.1:${port}` },
      stdin: 'x',
      signal: leave.signal,
      onOut: (out) => out.includes('part 2') && leave.abort(),
    })
    server.close()
    expect(ran.out).toBe('part 1part 2')
    expect(urls[1]).toContain('most_recent=0')
    expect(ran.err).toContain('connecting again')
  })

  it('is left by a tilde and a dot at the beginning of a line, also in pieces', () => {
    const typed = (...pieces: string[]) => {
      const escape = createEscape()
      const found = pieces.map((piece) => escape(Buffer.from(piece)))
      return [
        found.map(({ rest }) => Buffer.from(rest).toString()).join(''),
        found.some(({ isLeaving }) => isLeaving),
      ]
    }
    expect(typed('~.')).toEqual(['', true])
    expect(typed('ls\r~', '.x')).toEqual(['ls\r', true])
    expect(typed('a~.\r~~.\r~x')).toEqual(['a~.\r~.\r~x', false])
  })
})

describe('a file', () => {
  it('is imported as a disk, and an interrupted import continues', async () => {
    const file = join(shell.home, 'disk.raw')
    const bytes = Buffer.alloc(3 * MiB + 100, 7)
    writeFileSync(file, bytes)
    const line = `disk import --project demo --name data --file ${file}`
    const cut = new AbortController()
    const offsets: string[] = []
    const count = ({ url = '' }: { url?: string }) => {
      const [, offset] = /blocks\?offset=(\d+)/.exec(url) ?? []
      if (offset !== undefined) offsets.push(offset)
      if (offset === String(2.5 * MiB)) cut.abort()
    }
    servers.server.prependListener('request', count)
    expect((await purlin(line, { signal: cut.signal })).code).toBe(130)
    const first = offsets.length
    expect(await purlin(line)).toMatchObject({
      code: 0,
      err: expect.stringContaining('Imported disk data') as string,
    })
    servers.server.off('request', count)
    expect(offsets.length - first).toBeLessThan(7)
    expect((await admin().diskView({ params: { disk: 'data' }, query })).state).toEqual({ state: 'detached' })
    utimesSync(file, 1, 1)
    expect(await purlin(line)).toMatchObject({ code: 6 })
  })

  it('is uploaded as an image, and leaves nothing else', async () => {
    const file = join(shell.home, 'image.raw')
    writeFileSync(file, Buffer.alloc(1024, 1))
    const line = `image upload --project demo --name base --os debian --version 13 --file ${file}`
    expect(await purlin(line)).toMatchObject({ code: 0 })
    expect(await admin().imageView({ params: { image: 'base' }, query })).toMatchObject({
      os: 'debian',
      version: '13',
    })
    expect((await admin().snapshotList({ query })).items).toEqual([])
    expect(await purlin(line)).toMatchObject({ code: 6 })
  })
})

it('watch shows an answer, and then its changes', async () => {
  const stop = new AbortController()
  const added: Promise<unknown>[] = []
  const { code, out } = await purlin('watch project list', {
    signal: stop.signal,
    onOut: (text) => {
      const change = async () => {
        await admin().projectCreate({ body: { name: 'seen', description: '' } })
        await servers.world.advance(400)
      }
      if (added.length === 0) added.push(change())
      if (text.includes('+ seen')) stop.abort()
    },
  })
  await Promise.all(added)
  expect(code).toBe(130)
  expect(out).toMatch(/^NAME [^+]*demo [^+]*\+ seen\n$/)
  expect(await purlin('watch project delete --project seen')).toMatchObject({ code: 2 })
})

describe('a document', () => {
  const file = () => join(shell.home, 'demo.yaml')
  const save = (text: string) => writeFileSync(file(), text)
  const text = () => readFileSync(file(), 'utf8')

  it('of a project changes nothing when it is applied to it', async () => {
    const group = { name: 'apart', description: '', policy: 'fail', failureDomain: 'sled' } as const
    await admin().antiAffinityGroupCreate({ query, body: group })
    const target = { instance: 'web' }
    await admin().instanceStop({ params: target, query })
    await servers.world.advance(30_000)
    await admin().antiAffinityGroupMemberInstanceAdd({
      params: { ...target, antiAffinityGroup: 'apart' },
      query,
    })
    await admin().instanceStart({ params: target, query })
    await servers.world.advance(30_000)
    const disk = { name: 'kept', description: '', size: GiB }
    await admin().diskCreate({ query, body: { ...disk, diskSource: { type: 'blank', blockSize: 512 } } })
    await admin().diskUpdate({ params: { disk: 'kept' }, query, body: { protected: true } })
    await admin().vpcUpdate({ params: { vpc: 'default' }, query, body: { protected: true } })
    const { code, out } = await purlin('export --project demo')
    expect(code).toBe(0)
    save(out)
    expect(out).toMatch(/^purlin: 1\nprojects:\n {2}- name: demo\n/)
    expect(out.match(/protected: true/g)).toHaveLength(2)
    expect(out).toContain('identity: projectviewer\n')
    expect(out).not.toContain('identity_id')
    expect(await purlin(`plan -f ${file()} --prune --exit-code`)).toEqual({
      code: 0,
      out: '',
      err: 'There is nothing to change.\n',
    })
    expect(await purlin(`apply -f ${file()}`)).toMatchObject({
      code: 0,
      err: 'There is nothing to change.\n',
    })
  })

  it('makes another project, and continues after a failure', async () => {
    const document = parse(text()) as { projects: { name: string }[] }
    const [project] = document.projects
    if (project) project.name = 'copy'
    save(stringify(document))
    await admin().projectCreate({ body: { name: 'copy', description: '' } })
    const plan = await purlin(`plan -f ${file()} --exit-code`)
    expect(plan).toMatchObject({ code: 11, out: expect.stringContaining('+ instance copy/web') as string })
    expect(plan.out).toContain('+ member copy/apart/web\n')
    expect(plan.out).toContain('~ VPC copy/default  protected: none → true\n+ disk copy/kept\n')
    const applied = await purlin(`apply -f ${file()}`, { sleep: pass })
    expect(applied.code).toBe(0)
    expect(
      applied.out.replace(
        '~ start of instance copy/web  start: false → true',
        '+ start of instance copy/web',
      ),
    ).toBe(plan.out)
    expect(await purlin(`apply -f ${file()}`)).toMatchObject({ code: 0, out: '' })
    const kept = { params: { disk: 'kept' }, query: { project: 'copy' } }
    expect(await admin().diskView(kept)).toMatchObject({ protected: true })
  })

  it('shows the fields that change, refuses those that cannot, and deletes only on demand', async () => {
    save(text().replace('hostname: web', 'hostname: other'))
    expect(await purlin(`apply -f ${file()}`)).toMatchObject({
      code: 7,
      out: expect.stringMatching(/^! instance copy\/web {2}hostname/) as string,
    })
    save('purlin: 1\nprojects:\n  - name: copy\n    description: changed\n    floating_ips: []\n')
    await admin().floatingIpCreate({ query: { project: 'copy' }, body: { name: 'spare', description: '' } })
    expect((await purlin(`plan -f ${file()}`)).out).toBe(
      '~ project copy  description: "the demo project" → "changed"\n',
    )
    expect(await purlin(`apply -f ${file()} --prune`)).toMatchObject({ code: 2 })
    // Other projects stay, although the list of projects does not have them.
    expect((await purlin(`apply -f ${file()} --prune --yes`)).out).toBe(
      '~ project copy  description: "the demo project" → "changed"\n- floating IP copy/spare\n',
    )
    expect(await purlin(`plan -f ${file()} --prune`)).toMatchObject({ code: 0, out: '' })
  })

  it('changes the protection, and deletes nothing that has it', async () => {
    save('purlin: 1\nprojects:\n  - name: copy\n    disks: []\n')
    expect(await purlin(`apply -f ${file()} --prune --yes`)).toMatchObject({
      code: 7,
      out: '! disk copy/kept  is protected from deletion: apply protected: false first\n',
    })
    const disk = 'name: kept\n        protected: false\n        size: 2147483648'
    save(`purlin: 1\nprojects:\n  - name: copy\n    disks:\n      - ${disk}\n`)
    expect(await purlin(`apply -f ${file()}`)).toMatchObject({
      code: 0,
      out: '~ disk copy/kept  protected: true → false, size: 1073741824 → 2147483648\n',
    })
    expect(await purlin(`plan -f ${file()}`)).toMatchObject({ code: 0, out: '' })
    save('purlin: 1\nprojects:\n  - name: copy\n    disks: []\n')
    expect(await purlin(`apply -f ${file()} --prune --yes`)).toMatchObject({
      code: 0,
      out: '- disk copy/kept\n',
    })
  })

  it('names users and groups in policies, or has their ids, and refuses names of none', async () => {
    const policy = (identity: string) =>
      save(
        `purlin: 1\nprojects:\n  - name: copy\n    policy:\n      - identity_type: silo_user\n        ${identity}\n        role_name: viewer\n`,
      )
    policy('identity: viewer')
    const changed = { code: 0, out: '~ policy copy\n' }
    expect(await purlin(`apply -f ${file()}`)).toMatchObject(changed)
    const { roleAssignments } = await admin().projectPolicyView({ params: { project: 'copy' } })
    const [viewer] = roleAssignments
    expect(roleAssignments).toHaveLength(1)
    policy(`identity_id: ${viewer?.identityId}`)
    expect(await purlin(`plan -f ${file()}`)).toMatchObject({ code: 0, out: '' })
    policy('identity: missing')
    expect(await purlin(`apply -f ${file()}`)).toMatchObject({
      code: 2,
      err: expect.stringContaining('a user called missing, which does not exist') as string,
    })
  })

  it('of the fleet has silos, pools and policies', async () => {
    await signIn({ shell, servers, who: 'fleetAdmin' })
    const { code, out } = await purlin('export --system')
    expect(code).toBe(0)
    expect(out).toContain('- name: acme')
    expect(out).toContain('identity: fleetadmin\n    silo: acme')
    expect(out).not.toContain('identity_id')
    save(out)
    expect(await purlin(`plan -f ${file()} --prune`)).toMatchObject({ code: 0, out: '' })
    save(out.replace('ranges:', 'ranges:\n      - first: 10.77.0.1\n        last: 10.77.0.9'))
    expect(await purlin(`apply -f ${file()}`)).toMatchObject({
      code: 0,
      out: '+ range public/10.77.0.1-10.77.0.9\n',
    })
    expect(await purlin(`apply -f ${file()}`)).toMatchObject({ code: 0, out: '' })
  })

  it.each([
    ['[]', 'begins with purlin: 1'],
    ['purlin: 1\nprojects: {}', 'must be a list'],
    ['purlin: 1\nprojects: [{name: a, nope: 1}]', 'project a has an unknown field nope'],
    ['purlin: 1\nprojects: [{name: a}, {name: a}]', 'two projects called a'],
    ['purlin: [', 'demo.yaml'],
  ])('with %s is refused', async (wrong, message) => {
    save(wrong)
    expect(await purlin(`plan -f ${file()}`)).toMatchObject({
      code: 2,
      err: expect.stringContaining(message) as string,
    })
  })
})
