import { GiB } from '@purlin/contract/rules/limits'
import { expect, it } from 'vitest'
import { eachDay } from './useSubject.ts'

it('a day has 24 hours of each vCPU and each GiB', () => {
  expect(eachDay('Hardware now', { cpus: 2, memory: 3 * GiB, storage: GiB / 2 })).toEqual({
    label: 'Hardware now',
    of: { cpuSeconds: 48, memoryGibSeconds: 72, storageGibSeconds: 12 },
  })
})
