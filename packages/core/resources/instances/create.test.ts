import { GiB } from '@purlin/contract/rules/limits'
import { beforeEach, describe, expect, it } from 'vitest'
import { type instancesOf, rowOf, smallInstance, type NewInstance } from '#/testing/machines.ts'
import { answers, projectWrite } from '#/testing/roles.ts'
import { least, newDisk, nic, many, newInstances, invalid, badSize } from '#/testing/new-instances.ts'
import type { TestWorld } from '#/testing/world.ts'

const { opened, addKey, post, rejected } = newInstances()
let w: TestWorld
let vm: ReturnType<typeof instancesOf>
beforeEach(() => void ({ w, vm } = opened()))
const query = { project: 'demo' }

describe('permission to create an instance', () => {
  it('collaborators of the project may', async () => {
    const found = await answers(w, (client, name) =>
      client.instanceCreate({ query, body: smallInstance(name) }),
    )
    expect(found).toEqual(projectWrite)
  })

  it('the project must exist, and must be named', async () => {
    const elsewhere = w.as('admin').instanceCreate({ query: { project: 'nope' }, body: smallInstance('web') })
    await expect(elsewhere).rejects.toMatchObject({
      status: 404,
      message: 'not found: project with name "nope"',
    })
    const response = await w.raw({
      method: 'POST',
      url: '/v1/instances',
      who: 'admin',
      body: JSON.stringify(least),
    })
    expect(response.json).toMatchObject({ message: 'unable to parse query string: missing field `project`' })
  })
})

describe('the limits of a new instance', () => {
  it.each<[string, Partial<NewInstance>, object]>([
    ['65 vCPUs', { ncpus: 65 }, invalid('cannot have more than 64 vCPUs per instance')],
    ['no vCPU', { ncpus: 0 }, invalid('an instance needs at least 1 vCPU')],
    ['less than 1 GiB of memory', { memory: GiB - 1 }, badSize('memory must be at least 1 GiB')],
    ['a broken number of GiB', { memory: GiB + 1 }, badSize('memory must be divisible by 1 GiB')],
    ['1537 GiB of memory', { memory: 1537 * GiB }, badSize('memory must be less than or equal to 1536 GiB')],
    [
      'nine disks',
      { disks: many(9, (i) => newDisk(`d${i}`)) },
      invalid('cannot attach more than 8 disks to instance'),
    ],
    [
      'eight disks in addition to the boot disk',
      { bootDisk: newDisk('boot'), disks: many(8, (i) => newDisk(`d${i}`)) },
      invalid('cannot attach more than 8 disks to instance'),
    ],
    [
      'nine interfaces',
      { networkInterfaces: { type: 'create', params: many(9, (i) => nic(`n${i}`, `s${i}`)) } },
      invalid('An instance may not have more than 8 network interfaces'),
    ],
    [
      'interfaces in two VPCs',
      { networkInterfaces: { type: 'create', params: [nic('a'), nic('b', 'default', 'second')] } },
      invalid('All interfaces must be in the same VPC'),
    ],
    [
      'an empty list of interfaces',
      { networkInterfaces: { type: 'create', params: [] } },
      invalid('All interfaces must be in the same VPC'),
    ],
    [
      '33 external addresses',
      { externalIps: many(33, () => ({ type: 'floating' as const, floatingIp: 'x' })) },
      invalid('An instance may not have more than 32 external IP addresses'),
    ],
    [
      'two ephemeral addresses',
      { externalIps: [{ type: 'ephemeral' }, { type: 'ephemeral' }] },
      invalid('An instance may not have more than 1 ephemeral IP address'),
    ],
    [
      '101 SSH keys',
      { sshPublicKeys: many(101, (i) => `key-${i}`) },
      invalid('cannot attach more than 100 ssh keys to the instance'),
    ],
    ['a long description', { description: 'd'.repeat(513) }, { status: 400, code: 'InvalidValue' }],
  ])('%s: refused, and nothing is left behind', (_, more, reason) => rejected(more, reason))

  it('64 vCPUs and 1536 GiB are accepted', async () => {
    expect(await vm.create('large', { ncpus: 64, memory: 1536 * GiB })).toMatchObject({
      ncpus: 64,
      memory: 1536 * GiB,
    })
  })

  it('eight disks with the boot disk are accepted', async () => {
    await vm.create('web', { bootDisk: newDisk('boot'), disks: many(7, (i) => newDisk(`d${i}`)) })
    expect((await vm.disks('web')).items).toHaveLength(8)
  })

  it('vCPUs are checked before memory, memory before disks', async () => {
    const disks = many(9, (i) => newDisk(`d${i}`))
    await rejected({ ncpus: 65, memory: 1, disks }, invalid('cannot have more than 64 vCPUs per instance'))
    await rejected({ memory: 1, disks }, badSize('memory must be at least 1 GiB'))
  })

  it('user data has at most 32 KiB after decoding', async () => {
    await vm.create('full', { userData: new Uint8Array(32 * 1024) })
    await rejected(
      { userData: new Uint8Array(32 * 1024 + 1) },
      {
        status: 400,
        code: undefined,
        message: expect.stringMatching(
          /^unable to parse JSON body: user_data: 32769 bytes exceed the maximum of 32768 at line 1 column \d+$/,
        ) as string,
      },
    )
  })

  it.each([
    ['h'.repeat(254), 'Max hostname length is 253'],
    ['-web', 'Hostnames must comply with RFC 1035'],
    ['web.', 'Hostnames must comply with RFC 1035'],
    ['under_score', 'Hostnames must comply with RFC 1035'],
    [`${'l'.repeat(64)}.net`, 'Hostnames must comply with RFC 1035'],
  ])('the hostname %s is refused', async (hostname, reason) => {
    const { status, json } = await post({ ...least, hostname })
    expect(status).toBe(400)
    expect((json as { message: string }).message).toContain(
      `unable to parse JSON body: hostname: ${reason} at line 1`,
    )
  })

  it('a hostname of 253 characters in labels of 63 is accepted', async () => {
    const hostname = `${many(3, () => 'L'.repeat(63)).join('.')}.${'x'.repeat(61)}`
    expect(await vm.create('web', { hostname })).toMatchObject({ hostname })
  })
})

describe('fields and their defaults', () => {
  it('only name, description, size and hostname are needed', async () => {
    const { status, json } = await post(least)
    const view = json as Record<string, unknown>
    expect(status).toBe(201)
    expect(view).toEqual({
      ...least,
      id: view['id'],
      project_id: w.ids['demo'],
      run_state: 'creating',
      time_created: '2026-01-02T03:04:05.000Z',
      time_modified: '2026-01-02T03:04:05.000Z',
      time_run_state_updated: '2026-01-02T03:04:05.000Z',
      boot_disk_id: null,
      auto_restart_enabled: true,
      auto_restart_policy: null,
      auto_restart_cooldown_expiration: null,
      time_last_auto_restarted: null,
      cpu_platform: null,
      last_error: null,
    })
    const nics = await w.as('viewer').instanceNetworkInterfaceList({ query: { instance: 'web', ...query } })
    expect(nics.items).toMatchObject([{ name: 'net0', primary: true }])
    expect(nics.items[0]?.description).toContain('web')
    expect((await vm.disks('web')).items).toEqual([])
    const ips = await w.as('viewer').instanceExternalIpList({ params: { instance: 'web' }, query })
    expect(ips).toMatchObject({ items: [{ kind: 'snat' }], nextPage: null })
  })

  it.each(['name', 'description', 'ncpus', 'memory', 'hostname'])('%s is required', async (field) => {
    const { status, json } = await post({ ...least, [field]: undefined })
    expect(status).toBe(400)
    expect((json as { message: string }).message).toMatch(
      new RegExp(`^unable to parse JSON body: missing field \`${field}\` at line 1 column \\d+$`),
    )
  })

  it('null means the default wherever there is one', async () => {
    const nulls = {
      user_data: null,
      network_interfaces: null,
      external_ips: null,
      disks: null,
      boot_disk: null,
    }
    const more = {
      ssh_public_keys: null,
      start: null,
      auto_restart_policy: null,
      anti_affinity_groups: null,
      cpu_platform: null,
    }
    expect((await post({ ...least, ...nulls, ...more })).status).toBe(201)
  })

  it('it is started by default', async () => {
    expect((await post(least)).json).toMatchObject({ run_state: 'creating' })
    await w.settle()
    expect(await vm.view('web')).toMatchObject({ runState: 'starting' })
    await w.advance(200)
    expect(await vm.view('web')).toMatchObject({ runState: 'running' })
  })

  it('with start false it is stopped immediately and stays so', async () => {
    expect(await vm.create('web')).toMatchObject({ runState: 'stopped' })
    await w.advance(120_000)
    expect(await vm.view('web')).toMatchObject({ runState: 'stopped', lastError: null })
  })

  it('restart policy and platform are kept', async () => {
    const view = await vm.create('web', { autoRestartPolicy: 'never', cpuPlatform: 'amd_turin' })
    expect(view).toMatchObject({
      autoRestartPolicy: 'never',
      autoRestartEnabled: false,
      cpuPlatform: 'amd_turin',
    })
  })

  it('user data is passed to the machine as raw bytes and not shown', async () => {
    const userData = Uint8Array.from([0, 255, 10, 128])
    const { body, text } = await echo({ userData, start: true })
    expect(body).not.toHaveProperty('user_data')
    expect(text).not.toContain('AP8KgA==')
    await w.settle()
    expect((await rowOf(w, 'web')).userData).toBe('AP8KgA==')
  })

  async function echo(more: Partial<NewInstance>) {
    await vm.create('web', more)
    const { json, text } = await w.raw({ url: '/v1/instances/web?project=demo', who: 'viewer' })
    return { body: json as object, text }
  }
})

describe('SSH keys', () => {
  const keysOf = async (name: string) =>
    (await w.as('viewer').instanceSshPublicKeyList({ params: { instance: name }, query })).items.map(
      (one) => one.name,
    )

  it('absent or null: every key that the caller has now; others stay out', async () => {
    await addKey('one')
    await addKey('two')
    await addKey('of-another', 'admin')
    await vm.create('a')
    await vm.create('b', { sshPublicKeys: null })
    await addKey('later')
    expect(await keysOf('a')).toEqual(['one', 'two'])
    expect(await keysOf('b')).toEqual(['one', 'two'])
  })

  it('an empty list: none; a list: those, by name or id, each once', async () => {
    const { id } = await addKey('one')
    await addKey('two')
    await vm.create('none', { sshPublicKeys: [] })
    await vm.create('some', { sshPublicKeys: ['one', id, id.toUpperCase()] })
    expect(await keysOf('none')).toEqual([])
    expect(await keysOf('some')).toEqual(['one'])
  })

  it("an unknown key, or another user's, is not found", async () => {
    const { id } = await addKey('foreign', 'admin')
    await rejected(
      { sshPublicKeys: ['foreign'] },
      { status: 404, message: 'not found: ssh-key with name "foreign"' },
    )
    await rejected({ sshPublicKeys: [id] }, { status: 404, message: `not found: ssh-key with id "${id}"` })
  })

  it('a key that its owner deletes disappears from the instance', async () => {
    await addKey('one')
    await addKey('two')
    await vm.create('web')
    await w.as('projectCollaborator').currentUserSshKeyDelete({ params: { sshKey: 'one' } })
    expect(await keysOf('web')).toEqual(['two'])
  })
})
