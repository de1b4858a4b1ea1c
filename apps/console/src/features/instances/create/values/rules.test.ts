import { describe, expect, it } from 'vitest'
import type { NicValues } from '#/features/instances/networking/nic.ts'
import type { DiskRow } from './form.ts'
import {
  bootable,
  bootDiskProblem,
  bootNameProblem,
  diskLimit,
  disksChosen,
  disksProblem,
  externalIpsProblem,
  hostnameComplaint,
  namesTaken,
  nicsProblem,
  sshKeysProblem,
} from './rules.ts'

const many = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i))
const made = (name: string): DiskRow => ({
  type: 'create',
  body: { name, description: '', size: 1024 ** 3, diskSource: { type: 'blank', blockSize: 512 } },
})
const taken = (name: string): DiskRow => ({ type: 'attach', name, size: 1024 ** 3 })

describe('disks', () => {
  it('only detached disks can be booted from', () => {
    expect(bootable({ state: { state: 'detached' } })).toBe(true)
    expect(bootable({ state: { state: 'creating' } })).toBe(true)
    expect(bootable({ state: { state: 'attached', instance: 'x' } })).toBe(false)
  })
  it('a boot disk cannot have the name of another new disk', () => {
    expect(bootNameProblem('data', { disks: [made('data')] })).toBe('Name is already in use')
    expect(bootNameProblem('root', { disks: [made('data')] })).toBeUndefined()
    expect(bootNameProblem('', { disks: [] })).toBeUndefined()
  })
  it('a new disk cannot have the name of another one, including a new boot disk', () => {
    const form = { disks: [made('data'), taken('scratch')], boot: 'siloImage', bootName: 'root' } as const
    expect(namesTaken({ ...form, disks: [...form.disks] })).toEqual(['data', 'root'])
    expect(namesTaken({ ...form, disks: [], boot: 'disk' })).not.toContain('root')
  })
  it('a disk is used once, as boot disk or additional disk', () => {
    expect(bootDiskProblem('scratch', { disks: [taken('scratch')] })).toMatch(
      /^This disk is in the list of additional disks/,
    )
    expect(bootDiskProblem('archive', { disks: [taken('scratch')] })).toBeUndefined()
    expect(
      disksChosen({ disks: [taken('scratch'), made('data')], boot: 'disk', bootDisk: 'archive' }),
    ).toEqual(['scratch', 'archive'])
    expect(disksChosen({ disks: [], boot: 'siloImage', bootDisk: 'archive' })).toEqual([])
  })
  it('an instance has at most seven additional disks', () => {
    const problem = 'An instance supports a maximum of 8 disks, including the boot disk'
    expect(diskLimit(6)).toBeUndefined()
    expect(diskLimit(7)).toBe(problem)
    expect(disksProblem(many(7, (i) => made(`d${i}`)))).toBeUndefined()
    expect(disksProblem(many(8, (i) => made(`d${i}`)))).toBe(problem)
  })
})

it('an instance has at most 100 SSH keys', () => {
  expect(sshKeysProblem(many(100, String))).toBeUndefined()
  expect(sshKeysProblem(many(101, String))).toBe('An instance supports a maximum of 100 SSH keys')
})

describe('network interfaces', () => {
  const nic = (name: string, change: Partial<NicValues> = {}): NicValues => ({
    name,
    description: '',
    vpcName: 'default',
    subnetName: `subnet-${name}`,
    ip: '',
    ...change,
  })
  it.each([
    ['none', [], 'Add at least one network interface, or choose another option'],
    [
      'one name twice',
      [nic('a'), nic('a', { subnetName: 'b' })],
      'Network interfaces must have different names',
    ],
    ['two VPCs', [nic('a'), nic('b', { vpcName: 'other' })], 'All interfaces must be in the same VPC'],
    [
      'one subnet twice',
      [nic('a'), nic('b', { subnetName: 'subnet-a' })],
      'Each interface must be in a different subnet',
    ],
    ['nine', many(9, (i) => nic(`n${i}`)), 'An instance supports a maximum of 8 network interfaces'],
    ['eight', many(8, (i) => nic(`n${i}`)), undefined],
  ])('%s', (_, nics, problem) => expect(nicsProblem(nics)).toBe(problem))
})

describe('external IPs', () => {
  const ips = (count: number) => many(count, String)
  it('the 32 include the ephemeral one', () => {
    expect(externalIpsProblem({ ephemeral: true, floatingIps: ips(31) })).toBeUndefined()
    expect(externalIpsProblem({ ephemeral: true, floatingIps: ips(32) })).toMatch(
      /maximum of 32 external IPs/,
    )
    expect(externalIpsProblem({ ephemeral: true, floatingIps: [] })).toBeUndefined()
  })
})

describe('advanced settings', () => {
  it.each(['', 'web', 'web.example.org', '1-a', 'A'])('the hostname "%s" is fine', (text) =>
    expect(hostnameComplaint(text)).toBeUndefined(),
  )
  it.each(['-web', 'web-', 'web..org', 'we_b', 'web.', 'a'.repeat(64), `${'a'.repeat(63)}.`.repeat(4)])(
    'the hostname "%s" is not',
    (text) => expect(hostnameComplaint(text)).toMatch(/^Must be 1 to 253 characters/),
  )
})
