import { describe, expect, it } from 'vitest'
import { nameProblem } from '@purlin/contract/rules/names'
import { GiB } from '@purlin/contract/rules/limits'
import { imageAddressProblem } from '@purlin/contract/rules/images/imports'
import {
  detailsOf,
  digestProblem,
  empty,
  fileProblem,
  percentOf,
  progressText,
  toBody,
  type Import,
} from './body.ts'
import { cloudImages, urlOf } from './cloudImages.ts'

const date = new Date(0)
const one: Import = {
  id: '1',
  name: 'debian-13',
  description: '',
  timeCreated: date,
  timeModified: date,
  projectId: '2',
  os: 'debian',
  version: '13',
  blockSize: 512,
  source: { type: 'upload' },
  sha256: null,
  state: 'receiving',
  format: null,
  received: 0,
  size: null,
  problem: null,
}

describe('the form that imports an image', () => {
  it('makes the request for an address or a file', () => {
    const values = { ...empty, name: 'a', os: 'b', version: 'c', url: ' https://example.org/x ', sha256: ' ' }
    const common = { name: 'a', description: '', os: 'b', version: 'c', blockSize: 512, sha256: null }
    expect(toBody(values)).toEqual({ ...common, source: { type: 'url', url: 'https://example.org/x' } })
    const file = new File(['12345'], 'disk.raw')
    expect(toBody({ ...values, from: 'file', file })).toEqual({
      ...common,
      source: { type: 'upload', size: 5 },
    })
  })

  it('refuses a file that cannot become an image', async () => {
    expect(await fileProblem(new File([], 'empty'))).toBe('The file is empty')
    expect(await fileProblem(new File(['<html>'], 'page.img'))).toMatch(/web page/)
    expect(await fileProblem(new File(['x'.repeat(512)], 'disk.raw'))).toBeUndefined()
    expect(digestProblem('')).toBeUndefined()
  })

  it('refuses a file whose disk does not fit in what the quota leaves, as far as its header says so', async () => {
    const provisioned = { cpus: 0, memory: 0, storage: 0 }
    const left = (storage: number) => async () => ({ provisioned, capacity: { ...provisioned, storage } })
    const qcow2 = new Uint8Array(512)
    const header = new DataView(qcow2.buffer)
    for (const [at, value] of [0x51_46_49_fb, 3].entries()) header.setUint32(at * 4, value)
    header.setBigUint64(24, BigInt(20 * GiB))
    const file = new File([qcow2], 'disk.qcow2')
    expect(await fileProblem(file, left(21 * GiB))).toBeUndefined()
    expect(await fileProblem(file, left(20 * GiB))).toMatch(
      /^The import needs 21 GiB of storage for the file and the disk in it, but only 20 GiB of/,
    )
    const gzip = new File([Uint8Array.of(0x1f, 0x8b, 8)], 'disk.raw.gz')
    expect(await fileProblem(gzip, left(GiB))).toBeUndefined()
    expect(await fileProblem(gzip, left(0))).toMatch(/needs 1 GiB of storage for the file, but only 0 B of/)
    expect(await fileProblem(gzip, async () => undefined)).toBeUndefined()
  })

  it('refuses a digest that is none', () => {
    expect(digestProblem('F'.repeat(64))).toBeUndefined()
    expect(digestProblem('abc')).toBeDefined()
  })
})

it('an import says how far it is, and why it waits or has failed', () => {
  const MiB = 1024 * 1024
  expect(progressText({ ...one, received: MiB })).toBe('1 MiB received')
  expect(progressText({ ...one, received: MiB, size: 4 * MiB })).toBe('1 MiB of 4 MiB received')
  expect(percentOf({ received: MiB, size: 4 * MiB })).toBe(25)
  expect(percentOf({ received: MiB, size: null })).toBeUndefined()
  expect(progressText({ ...one, problem: 'No answer. It tries again.' })).toMatch(/received. No answer/)
  expect(progressText({ ...one, state: 'unpacking', format: 'qcow2' })).toBe('Unpacking qcow2 and storing')
  expect(progressText({ ...one, state: 'failed', problem: 'The file is empty' })).toBe('The file is empty')
})

it('every well-known image has a name, a version and an address', () => {
  expect(new Set(cloudImages.map(({ name }) => name)).size).toBe(cloudImages.length)
  for (const { name, title, os, version, address } of cloudImages) {
    expect(nameProblem(name), name).toBeUndefined()
    expect(imageAddressProblem(urlOf({ address })), address).toBeUndefined()
    expect(title.length * os.length * version.length).toBeGreaterThan(0)
    expect(detailsOf(name)).toEqual({ name, os, version, url: urlOf({ address }) })
  }
  expect(detailsOf('')).toBeUndefined()
})
