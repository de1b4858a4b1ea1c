import { describe, expect, it } from 'vitest'
import { noBootDiskText, partDisks } from './bootDisk.ts'

const [a, b] = [
  { id: '1', name: 'root' },
  { id: '2', name: 'data' },
]

describe('the boot disk of an instance', () => {
  it('stands apart from the others', () => {
    expect(partDisks([a, b], '2')).toEqual({ boot: b, others: [a] })
    expect(partDisks([a, b], null)).toEqual({ boot: undefined, others: [a, b] })
  })
  it.each([
    [[], 'Attach a disk to be able to set a boot disk.'],
    [[a], 'Instance will boot from root because it is the only disk.'],
    [[a, b], 'Setting a boot disk is recommended, unless the guest manages its boot order itself.'],
  ])('without one, %j says what will happen', (others, text) => expect(noBootDiskText(others)).toBe(text))
})
