import { describe, expect, it } from 'vitest'
import type { IpPool } from '#/features/ip-pools/queries.ts'
import type { Vpc } from '#/features/vpc-names/queries.ts'
import type { Image } from './data.ts'
import { hasNoImage, startForm, type Offers } from './form.ts'

const GiB = 1024 ** 3
const head = { id: 'id', description: '', timeCreated: new Date(0), timeModified: new Date(0) }
const image = (size: number): Image => ({
  ...head,
  name: 'debian',
  os: 'debian',
  version: '13',
  size,
  blockSize: 512,
})
const pool = (name: string, isDefault: boolean): IpPool => ({ ...head, name, isDefault })
const vpc = (name: string): Vpc => ({
  ...head,
  name,
  projectId: 'p',
  systemRouterId: 'r',
  ipv6Prefix: 'fd00::/48',
  dnsName: name,
})
const nothing: Offers = { siloImages: [], projectImages: [], sshKeys: [], pools: [], vpcs: [], sizes: [] }

describe('the default values', () => {
  it('boot from silo images, else project images, else existing disks', () => {
    expect(startForm({ ...nothing, siloImages: [image(GiB)], projectImages: [image(GiB)] }).boot).toBe(
      'siloImage',
    )
    expect(startForm({ ...nothing, projectImages: [image(GiB)] }).boot).toBe('projectImage')
    expect(startForm(nothing).boot).toBe('disk')
  })
  it('round the boot disk up from the first image to the next ten GiB', () => {
    expect(
      startForm({ ...nothing, siloImages: [image(12 * GiB)], projectImages: [image(40 * GiB)] }).bootSizeGiB,
    ).toBe(20)
    expect(startForm({ ...nothing, projectImages: [image(40 * GiB)] }).bootSizeGiB).toBe(40)
    expect(startForm({ ...nothing, siloImages: [image(1022 * GiB)] }).bootSizeGiB).toBe(1023)
  })
  it('have a size without images', () => expect(startForm(nothing).bootSizeGiB).toBe(10))
  it('select all keys', () => {
    const key = { ...head, name: 'laptop', publicKey: '', siloUserId: 'u' }
    expect(startForm({ ...nothing, sshKeys: [key, { ...key, id: 'other' }] }).sshKeys).toEqual([
      'id',
      'other',
    ])
  })
  it('take an ephemeral IP from the default pool', () => {
    expect(startForm({ ...nothing, pools: [pool('office', false), pool('public', true)] })).toMatchObject({
      ephemeral: true,
      pool: 'public',
    })
  })
  it('select no pool without a default pool', () => {
    expect(startForm({ ...nothing, pools: [pool('office', false)] })).toMatchObject({
      ephemeral: true,
      pool: '',
    })
  })
  it('have no ephemeral IP without a pool', () => expect(startForm(nothing).ephemeral).toBe(false))
  it('have a network interface only if there is a VPC named default', () => {
    expect(startForm({ ...nothing, vpcs: [vpc('default')] }).network).toBe('default')
    expect(startForm({ ...nothing, vpcs: [vpc('backend')] }).network).toBe('none')
  })
})

it('an image of the silo or of the project can be booted from', () => {
  expect(hasNoImage(nothing)).toBe(true)
  expect(hasNoImage({ ...nothing, siloImages: [image(GiB)] })).toBe(false)
  expect(hasNoImage({ ...nothing, projectImages: [image(GiB)] })).toBe(false)
})
