import { GiB } from '@purlin/contract/rules/limits'
import { describe, expect, it } from 'vitest'
import { cloneNote, cloneOf, type Original } from './clone.ts'
import { type Offers, startForm } from './form.ts'
import { toBody } from './toBody.ts'

const offers = {
  siloImages: [],
  projectImages: [],
  sshKeys: [{ id: 'key' }],
  pools: [
    { id: 'p1', name: 'public', isDefault: true },
    { id: 'p2', name: 'lab', isDefault: false },
  ],
  vpcs: [{ name: 'default' }],
  sizes: [{ name: 'medium', ncpus: 4, memory: 16 * GiB }],
} as unknown as Offers
const disk = { description: 'd', size: 20 * GiB, blockSize: 512, imageId: null, snapshotId: null }
const nic = { name: 'net0', description: '', vpcName: 'default', subnetName: 'default' }
const original: Original = {
  instance: {
    name: 'web',
    description: 'The shop',
    ncpus: 4,
    memory: 16 * GiB,
    bootDiskId: 'boot',
    autoRestartPolicy: 'never',
    cpuPlatform: 'amd_turin',
  },
  disks: [
    { ...disk, id: 'boot', name: 'web-boot', imageId: 'i1' },
    { ...disk, id: 'data', name: 'web-data', snapshotId: 's1' },
  ],
  image: { id: 'i1', projectId: null },
  snapshot: undefined,
  nics: [nic],
  externalIps: [
    { kind: 'floating', ipPoolId: 'p1' },
    { kind: 'ephemeral', ipPoolId: 'p2' },
  ],
  groups: [{ name: 'apart' }],
}
const form = (change: Partial<Original> = {}) => cloneOf({ ...original, ...change }, offers)
const known = { sources: [{ id: 'i1', name: 'debian' }], hex: () => '00ff00' }

describe('a clone of an instance', () => {
  it('is like the instance, with different names, disks and addresses', () => {
    expect(toBody(form(), known)).toEqual({
      name: 'web-copy',
      description: 'The shop',
      hostname: 'web-copy',
      ncpus: 4,
      memory: 16 * GiB,
      start: true,
      bootDisk: {
        type: 'create',
        name: 'web-copy-debian-00ff00',
        description: 'Created as a boot disk for web-copy',
        size: 20 * GiB,
        diskSource: { type: 'image', imageId: 'i1' },
      },
      disks: [
        {
          type: 'create',
          name: 'web-data-copy',
          description: 'd',
          size: 20 * GiB,
          diskSource: { type: 'snapshot', snapshotId: 's1' },
        },
      ],
      sshPublicKeys: ['key'],
      networkInterfaces: { type: 'default' },
      externalIps: [{ type: 'ephemeral', pool: 'lab' }],
      antiAffinityGroups: ['apart'],
      autoRestartPolicy: 'never',
      cpuPlatform: 'amd_turin',
    })
    expect(form()).toMatchObject({ hardware: 'general', preset: '4x16', boot: 'siloImage' })
  })
  it('has a custom size if it matches no preset', () => {
    const instance = { ...original.instance, ncpus: 3, memory: 5 * GiB }
    expect(form({ instance })).toMatchObject({ hardware: 'custom', cpus: 3, memoryGiB: 5 })
  })
  it('boots from the image of the project, or from what has to be chosen', () => {
    const image = { id: 'i1', projectId: 'p' }
    expect(form({ image })).toMatchObject({ boot: 'projectImage', projectImage: 'i1', siloImage: '' })
    expect(form({ image: undefined })).toMatchObject({ boot: startForm(offers).boot, siloImage: '' })
  })
  it('boots from the same snapshot', () => {
    const of = form({ image: undefined, snapshot: { id: 's0' } })
    expect(of).toMatchObject({ boot: 'bootSnapshot', bootSnapshot: 's0', bootSizeGiB: 20 })
    expect(toBody(of, { ...known, sources: [{ id: 's0', name: 'golden' }] }).bootDisk).toMatchObject({
      name: 'web-copy-golden-00ff00',
      diskSource: { type: 'snapshot', snapshotId: 's0' },
    })
  })
  it('says what has to be chosen to boot from', () => {
    const note = (change: Partial<Original>) => cloneNote({ ...original, ...change })
    expect(note({})).not.toContain('choose')
    expect(note({ image: undefined })).toContain('The source of its boot disk web-boot was deleted')
    const blank = { ...disk, id: 'boot', name: 'web-boot' }
    expect(note({ image: undefined, disks: [blank] })).toContain('web-boot was created blank: choose')
    expect(note({ image: undefined, disks: [] })).toContain('It has no boot disk: choose')
  })
  it('may send from the same networks', () => {
    const sends = { ...nic, transitIps: ['10.9.0.0/16'] }
    expect(toBody(form({ nics: [sends] }), known).networkInterfaces).toEqual({
      type: 'create',
      params: [sends],
    })
  })
  it('has the same networks', () => {
    expect(form({ nics: [] }).network).toBe('none')
    const other = { ...nic, vpcName: 'shop' }
    expect(form({ nics: [other] })).toMatchObject({ network: 'custom', nics: [{ ...other, ip: '' }] })
    const both = [nic, { ...nic, name: 'net1', subnetName: 'data' }]
    expect(form({ nics: both }).nics.map(({ name }) => name)).toEqual(['net0', 'net1'])
    expect(form({ externalIps: [] }).ephemeral).toBe(false)
  })
})
