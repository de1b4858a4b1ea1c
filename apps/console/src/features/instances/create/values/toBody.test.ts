import { InstanceCreate } from '@purlin/contract/operations/instances/instances'
import { encodeIn } from '@purlin/contract/wire'
import { describe, expect, it } from 'vitest'
import { startForm, type InstanceForm } from './form.ts'
import { toBody } from './toBody.ts'

const GiB = 1024 ** 3
const sources = [
  { id: 'silo-image-id', name: 'debian-13' },
  { id: 'project-image-id', name: 'collector-golden' },
]
const nothing = { siloImages: [], projectImages: [], disks: [], sshKeys: [], pools: [], vpcs: [], sizes: [] }
const base: InstanceForm = {
  ...startForm(nothing),
  name: 'web',
  boot: 'siloImage',
  siloImage: 'silo-image-id',
  network: 'default',
}
const bodyOf = (changes: Partial<InstanceForm>, userData?: Uint8Array) =>
  toBody({ ...base, ...changes }, { sources, hex: () => 'c0ffee', ...(userData ? { userData } : {}) })

describe('the request of a new instance', () => {
  it('has exactly the values of the simplest form', () => {
    expect(
      bodyOf({ description: 'Serves pages', sshKeys: ['k1', 'k2'], ephemeral: true, pool: 'public-v4' }),
    ).toEqual({
      name: 'web',
      description: 'Serves pages',
      hostname: 'web',
      ncpus: 2,
      memory: 8 * GiB,
      start: true,
      bootDisk: {
        type: 'create',
        name: 'web-debian-13-c0ffee',
        description: 'Created as a boot disk for web',
        size: 10 * GiB,
        diskSource: { type: 'image', imageId: 'silo-image-id' },
      },
      disks: [],
      sshPublicKeys: ['k1', 'k2'],
      networkInterfaces: { type: 'default' },
      externalIps: [{ type: 'ephemeral', pool: 'public-v4' }],
    })
  })
  it('sends an empty list without keys, because a missing one means all keys', () => {
    expect(bodyOf({ sshKeys: [] })).toHaveProperty('sshPublicKeys', [])
  })
  it('can leave the instance stopped', () => expect(bodyOf({ start: false }).start).toBe(false))
})

describe('its size', () => {
  it.each([
    ['general', '16x64', 16, 64],
    ['cpu', '16x32', 16, 32],
    ['memory', '2x16', 2, 16],
  ] as const)('%s %s', (hardware, preset, ncpus, memory) => {
    expect(bodyOf({ hardware, preset, cpus: 3, memoryGiB: 5 })).toMatchObject({ ncpus, memory: memory * GiB })
  })
  it('custom numbers are used only under Custom', () => {
    expect(bodyOf({ hardware: 'custom', preset: '2x8', cpus: 3, memoryGiB: 5 })).toMatchObject({
      ncpus: 3,
      memory: 5 * GiB,
    })
  })
})

describe('its boot disk', () => {
  const others = {
    siloImage: 'silo-image-id',
    projectImage: 'project-image-id',
    bootDisk: 'archive',
    bootSizeGiB: 30,
  }
  it('comes from the selected tab only', () => {
    expect(bodyOf({ ...others, boot: 'projectImage' }).bootDisk).toMatchObject({
      name: 'web-collector-golden-c0ffee',
      size: 30 * GiB,
      diskSource: { type: 'image', imageId: 'project-image-id' },
    })
    expect(bodyOf({ ...others, boot: 'siloImage' }).bootDisk).toMatchObject({
      diskSource: { imageId: 'silo-image-id' },
    })
  })
  it('is attached by name if it exists', () => {
    expect(bodyOf({ ...others, boot: 'disk', bootName: 'unused' }).bootDisk).toEqual({
      type: 'attach',
      name: 'archive',
    })
  })
  it('has the entered name', () => {
    expect(bodyOf({ bootName: 'root' }).bootDisk).toMatchObject({ type: 'create', name: 'root' })
  })
  it('a generated name fits into 63 characters', () => {
    const { bootDisk } = bodyOf({ name: 'a'.repeat(63) })
    expect(bootDisk?.name).toMatch(/^a{46}-debian-13-c0ffee$/)
    expect(bootDisk?.name.length).toBe(63)
  })
})

describe('its other disks', () => {
  const body = {
    name: 'data',
    description: 'Rows',
    size: 5 * GiB,
    diskSource: { type: 'blank', blockSize: 4096 },
  } as const
  it('are created or attached in order', () => {
    expect(
      bodyOf({
        disks: [
          { type: 'attach', name: 'archive', size: 512 * GiB },
          { type: 'create', body },
        ],
      }).disks,
    ).toEqual([
      { type: 'attach', name: 'archive' },
      { type: 'create', ...body },
    ])
  })
})

describe('its network', () => {
  const nic = { name: 'net0', description: '', vpcName: 'default', subnetName: 'default', ip: ' ' }
  const second = {
    name: 'net1',
    description: 'Rows',
    vpcName: 'default',
    subnetName: 'rows',
    ip: ' 10.0.4.9 ',
  }
  it('custom interfaces are sent with their addresses, without empty ones', () => {
    const { ip: _, ...plain } = nic
    expect(bodyOf({ network: 'custom', nics: [nic, second] }).networkInterfaces).toEqual({
      type: 'create',
      params: [plain, { ...second, ip: '10.0.4.9' }],
    })
  })
  it('custom interfaces are not sent with another option', () => {
    expect(bodyOf({ network: 'default', nics: [nic] }).networkInterfaces).toEqual({ type: 'default' })
  })
  it('floating IPs come after the ephemeral one', () => {
    expect(bodyOf({ ephemeral: true, pool: 'office', floatingIps: ['front', 'back'] }).externalIps).toEqual([
      { type: 'ephemeral', pool: 'office' },
      { type: 'floating', floatingIp: 'front' },
      { type: 'floating', floatingIp: 'back' },
    ])
  })
  it('a pool is not sent without an ephemeral IP', () => {
    expect(bodyOf({ ephemeral: false, pool: 'office' }).externalIps).toEqual([])
  })
  it('an instance without interfaces requests no external IP', () => {
    const body = bodyOf({ network: 'none', ephemeral: true, pool: 'office', floatingIps: ['front'] })
    expect(body).toMatchObject({ networkInterfaces: { type: 'none' }, externalIps: [] })
  })
})

describe('its advanced settings', () => {
  it('are left out by default', () => {
    const body = bodyOf({})
    for (const key of ['userData', 'antiAffinityGroups', 'autoRestartPolicy', 'cpuPlatform'])
      expect(body).not.toHaveProperty(key)
  })
  it('are sent if set', () => {
    expect(
      bodyOf({
        hostname: 'web.example.org',
        antiAffinityGroups: ['apart'],
        autoRestart: 'never',
        cpuPlatform: 'amd_turin',
      }),
    ).toMatchObject({
      hostname: 'web.example.org',
      antiAffinityGroups: ['apart'],
      autoRestartPolicy: 'never',
      cpuPlatform: 'amd_turin',
    })
  })
  it('user data is sent as base64', () => {
    const body = bodyOf({}, new TextEncoder().encode('#cloud-config'))
    expect(encodeIn(InstanceCreate, body)).toHaveProperty('user_data', btoa('#cloud-config'))
  })
})
