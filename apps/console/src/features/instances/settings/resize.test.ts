import { describe, expect, it } from 'vitest'
import { sizeChanges, sizeToForm } from './resize.ts'

const GiB = 1024 ** 3
const shown = { ncpus: 2, memory: 4 * GiB }

describe('resizing an instance', () => {
  it('sends only what was changed', () => {
    expect(sizeChanges({ ncpus: 2, memory: 8 }, shown)).toEqual({ memory: 8 * GiB })
    expect(sizeChanges({ ncpus: 4, memory: 4 }, shown)).toEqual({ ncpus: 4 })
    expect(sizeChanges({ ncpus: 4, memory: 8 }, shown)).toEqual({ ncpus: 4, memory: 8 * GiB })
  })
  it('the size shown is no change', () => expect(sizeChanges(sizeToForm(shown), shown)).toEqual({}))
})
