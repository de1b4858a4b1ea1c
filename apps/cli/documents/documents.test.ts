/** Documents: export, plan and apply, in one world. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestServers } from '@purlin/server/testing/test-servers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { GiB } from '@purlin/contract/rules/limits'
import type { HowToRun, Ran, Shell } from '../testing/shell.ts'
import { signIn } from '../testing/sign-in.ts'
import { endWithInstance, startWithInstance } from '../testing/with-instance.ts'

let servers: TestServers
let shell: Shell
const query = { project: 'demo' }
const purlin = (line: string, how?: HowToRun): Promise<Ran> => shell.run(line.split(' '), how)
const pass = () => servers.world.advance(1000)
const admin = () => servers.world.as('admin')

beforeAll(async () => {
  ;({ servers, shell } = await startWithInstance())
})
afterAll(() => endWithInstance({ servers, shell }))

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
    await admin().diskUpdate({
      params: { disk: 'kept' },
      query,
      body: { protected: true, tags: { env: 'prod' } },
    })
    const inVpc = { ...query, vpc: 'default' }
    const tags = { zone: 'inner' }
    await admin().vpcSubnetUpdate({ params: { subnet: 'default' }, query: inVpc, body: { tags } })
    await admin().internetGatewayTagsChange({
      params: { gateway: 'default' },
      query: inVpc,
      body: { set: tags },
    })
    const fields = [{ name: 'host', type: 'text' as const }]
    const template = { name: 'base', description: '', text: '#cloud-config\nhostname: <<<host>>>\n', fields }
    await admin().userDataTemplateCreate({ query, body: template })
    const evening = { type: 'daily' as const, time: '19:00' }
    const stop = { name: 'rest', description: '', action: 'stop' as const, rule: evening, paused: true }
    await admin().scheduleCreate({ query, body: { ...stop, instances: ['web'], timeZone: 'Europe/Berlin' } })
    const hours = { type: 'hours' as const, hours: 6 }
    const nightly = { name: 'nightly', description: '', action: 'snapshot' as const, rule: hours }
    await admin().scheduleCreate({ query, body: { ...nightly, disks: ['kept'], keep: { daily: 7 } } })
    await admin().vpcUpdate({ params: { vpc: 'default' }, query, body: { protected: true } })
    const { code, out } = await purlin('export --project demo')
    expect(code).toBe(0)
    save(out)
    expect(out).toMatch(/^purlin: 1\nprojects:\n {2}- name: demo\n/)
    expect(out.match(/protected: true/g)).toHaveLength(2)
    expect(out).toContain('tags:\n          env: prod\n')
    expect(out.match(/tags:\n {14}zone: inner\n/g)).toHaveLength(2)
    expect(out).toContain('identity: projectviewer\n')
    expect(out).not.toContain('identity_id')
    expect((parse(out) as { projects: { schedules: unknown }[] }).projects[0]?.schedules).toMatchObject([
      { name: 'nightly', disks: ['kept'], keep: { daily: 7 }, rule: { type: 'hours', hours: 6 } },
      { name: 'rest', instances: ['web'], rule: evening, time_zone: 'Europe/Berlin', paused: true },
    ])
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
    expect(plan.out).toContain(
      '~ VPC copy/default  protected: none → true\n' +
        '~ subnet copy/default/default  tags: none → {"zone":"inner"}\n' +
        '~ internet gateway copy/default/default  tags: none → {"zone":"inner"}\n' +
        '+ disk copy/kept\n',
    )
    const applied = await purlin(`apply -f ${file()}`, { sleep: pass })
    expect(applied.code).toBe(0)
    expect(
      applied.out.replace(
        '~ start of instance copy/web  start: false → true',
        '+ start of instance copy/web',
      ),
    ).toBe(plan.out)
    expect(await purlin(`apply -f ${file()}`)).toMatchObject({ code: 0, out: '' })
    const base = { params: { template: 'base' }, query: { project: 'copy' } }
    expect(await admin().userDataTemplateView(base)).toMatchObject({ fields: [{ name: 'host' }] })
    const rest = { params: { schedule: 'rest' }, query: { project: 'copy' } }
    const inCopy = { params: { instance: 'web' }, query: { project: 'copy' } }
    expect(await admin().scheduleView(rest)).toMatchObject({
      instances: [{ id: (await admin().instanceView(inCopy)).id }],
      paused: true,
    })
    const kept = { params: { disk: 'kept' }, query: { project: 'copy' } }
    expect(await admin().diskView(kept)).toMatchObject({ protected: true, tags: { env: 'prod' } })
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

  it('changes the tags of a gateway, which cannot be changed otherwise', async () => {
    const has = (fields: string) =>
      save(
        `purlin: 1\nprojects:\n  - name: copy\n    vpcs:\n      - name: default\n        internet_gateways:\n          - name: default\n            ${fields}\n`,
      )
    has('tags: { env: prod }')
    expect((await purlin(`apply -f ${file()}`)).out).toBe(
      '~ internet gateway copy/default/default  tags: {"zone":"inner"} → {"env":"prod"}\n',
    )
    expect(await purlin(`plan -f ${file()}`)).toMatchObject({ code: 0, out: '' })
    has('description: other')
    expect(await purlin(`apply -f ${file()}`)).toMatchObject({ code: 7 })
    has('tags: {}')
    expect(await purlin(`apply -f ${file()}`)).toMatchObject({ code: 0 })
    const gateway = { params: { gateway: 'default' }, query: { project: 'copy', vpc: 'default' } }
    expect(await admin().internetGatewayView(gateway)).not.toHaveProperty('tags')
  })

  it('changes schedules, whose other target takes the place of the present one', async () => {
    const has = (schedules: string) =>
      save(`purlin: 1\nprojects:\n  - name: copy\n    schedules:\n${schedules}`)
    // Parts of fields that are left to the server are no change.
    has(
      '      - name: nightly\n        rule: { type: hours, hours: 6 }\n        keep: { daily: 7, weekly: 0 }\n',
    )
    expect(await purlin(`plan -f ${file()}`)).toMatchObject({ code: 0, out: '' })
    has(
      '      - name: nightly\n        action: stop\n        tag: env=test\n      - name: rest\n        tag: env=test\n',
    )
    expect((await purlin(`apply -f ${file()}`)).out).toBe(
      '~ schedule copy/nightly  action: "snapshot" → "stop", tag: none → "env=test", keep: {"daily":7} → null\n' +
        '~ schedule copy/rest  tag: none → "env=test", instances: ["web"] → null\n',
    )
    expect(await purlin(`plan -f ${file()}`)).toMatchObject({ code: 0, out: '' })
    has('      - name: nightly\n')
    expect((await purlin(`apply -f ${file()} --prune --yes`)).out).toBe('- schedule copy/rest\n')
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

  const disk = { name: 'data', description: '', size: GiB, disk_source: { type: 'blank', block_size: 512 } }
  const second = { name: 'second', description: '', ipv4_block: '172.30.200.0/24' }
  const saveInstances = (...instances: object[]) => {
    const front = { name: 'front', description: '' }
    const vpcs = [{ name: 'default', subnets: [second, { name: 'default' }] }]
    const demo = { name: 'demo', vpcs, disks: [disk, { name: 'kept' }], floating_ips: [front], instances }
    save(stringify({ purlin: 1, projects: [demo] }))
  }
  const nic = (name: string, subnet_name: string) => ({
    name,
    description: '',
    vpc_name: 'default',
    subnet_name,
  })
  const create = (...params: object[]) => ({ type: 'create', params })
  const attach = (name: string) => ({ type: 'attach', name })
  const floating = (floating_ip: string) => ({ type: 'floating', floating_ip })
  const more = {
    name: 'web',
    disks: [attach('data')],
    network_interfaces: create(nic('net1', 'second')),
  }

  it('does not stop an instance to change its disks and interfaces', async () => {
    saveInstances({ ...more, external_ips: [floating('front')] })
    const why = 'needs instance web to be stopped, which is running: stop it first'
    const made = [
      '+ subnet demo/default/second',
      '+ disk demo/data',
      '+ floating IP demo/front',
      `! attachment of disk demo/web/data  ${why}`,
      `! network interface demo/web/net1  ${why}`,
      '+ attachment of external IP demo/web/front',
    ]
    expect((await purlin(`plan -f ${file()}`)).out).toBe(made.map((line) => `${line}\n`).join(''))
    expect(await purlin(`apply -f ${file()}`)).toMatchObject({ code: 7 })
    expect((await admin().floatingIpList({ query })).items).toEqual([])
  })

  it('attaches to a stopped instance, and continues after a failure', async () => {
    await admin().instanceStop({ params: { instance: 'web' }, query })
    await servers.world.advance(30_000)
    saveInstances({ ...more, external_ips: [floating('missing')] })
    expect(await purlin(`apply -f ${file()}`)).toMatchObject({
      out: expect.stringMatching(
        /attachment of disk demo\/web\/data\n\+ network interface demo\/web\/net1\n$/,
      ) as string,
      err: expect.stringContaining('attachment of external IP demo/web/missing: ') as string,
    })
    const boot = { ...more, ncpus: 1, boot_disk: attach('data'), disks: [] }
    saveInstances({ ...boot, external_ips: [floating('front'), { type: 'ephemeral' }] })
    expect(await purlin(`apply -f ${file()}`)).toMatchObject({
      code: 0,
      out: [
        '+ attachment of external IP demo/web/front',
        '+ attachment of external IP demo/web/ephemeral IP',
        '~ instance demo/web  boot_disk: none → {"type":"attach","name":"data"}\n',
      ].join('\n'),
    })
    expect(await purlin(`plan -f ${file()}`)).toMatchObject({ code: 0, out: '' })
    const web = await admin().instanceView({ params: { instance: 'web' }, query })
    expect(web.runState).toBe('stopped')
  })

  it('detaches with --prune before it attaches elsewhere, and puts the primary interface first', async () => {
    const other = { name: 'other', description: '', hostname: 'other', ncpus: 1, memory: GiB, start: false }
    const network_interfaces = create({ ...nic('net1', 'second'), transit_ips: ['10.9.0.0/16'] })
    const web = { name: 'web', boot_disk: null, disks: [], network_interfaces, external_ips: [] }
    saveInstances(web, { ...other, external_ips: [floating('front')] })
    const { code, out } = await purlin(`apply -f ${file()} --prune --yes`)
    expect(code).toBe(0)
    expect(out.split('\n').slice(0, -1)).toEqual([
      '- attachment of external IP demo/web/ephemeral IP',
      '- attachment of external IP demo/web/front',
      '- network interface demo/web/net0',
      '~ network interface demo/web/net1  transit_ips: [] → ["10.9.0.0/16"]',
      expect.stringContaining('~ instance demo/web  boot_disk: '),
      '+ instance demo/other',
      '- attachment of disk demo/web/data',
    ])
    expect(await purlin(`plan -f ${file()} --prune`)).toMatchObject({ code: 0, out: '' })
    const { items } = await admin().instanceNetworkInterfaceList({ query: { ...query, instance: 'web' } })
    expect(items).toMatchObject([{ name: 'net1', primary: true, transitIps: ['10.9.0.0/16'] }])
    saveInstances({ ...web, disks: 'data' })
    expect(await purlin(`plan -f ${file()}`)).toMatchObject({
      code: 2,
      err: expect.stringContaining('disks of an instance must be a list of objects') as string,
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
