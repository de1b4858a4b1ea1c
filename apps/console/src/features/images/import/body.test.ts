import { describe, expect, it } from 'vitest'
import { nameProblem } from '@purlin/contract/rules/names'
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

  it('refuses a file that cannot become an image, and a digest that is none', async () => {
    expect(await fileProblem(new File([], 'empty'))).toBe('The file is empty')
    expect(await fileProblem(new File(['<html>'], 'page.img'))).toMatch(/web page/)
    expect(await fileProblem(new File(['x'.repeat(512)], 'disk.raw'))).toBeUndefined()
    expect(digestProblem('')).toBeUndefined()
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
