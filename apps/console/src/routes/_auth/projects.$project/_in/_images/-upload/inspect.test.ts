import { describe, expect, it } from 'vitest'
import { blockSizeDoubt, bootDoubts, inspect } from './inspect.ts'

function fileWith(name: string, marks: Record<number, string> = {}): File {
  const bytes = new Uint8Array(40_000)
  for (const [at, text] of Object.entries(marks)) bytes.set(new TextEncoder().encode(text), Number(at))
  return new File([bytes], name)
}
const found = async (name: string, marks?: Record<number, string>) => inspect(fileWith(name, marks))

describe('a file that is chosen', () => {
  it('shows its block size by where the EFI header stands; the first one counts', async () => {
    expect(await found('a.raw', { 512: 'EFI PART' })).toEqual({
      efiAt: 512,
      isCd: false,
      isCompressed: false,
    })
    expect((await found('a.raw', { 2048: 'EFI PART', 4096: 'EFI PART' })).efiAt).toBe(2048)
    expect((await found('a.raw', { 1024: 'EFI PART' })).efiAt).toBeUndefined()
  })

  it('is a CD by its mark, compressed by its name, and may be shorter than either', async () => {
    expect((await found('a.iso', { 0x8001: 'CD001' })).isCd).toBe(true)
    for (const name of ['a.gz', 'a.7z', 'a.QCOW2', 'a.vmdk'])
      expect((await found(name)).isCompressed).toBe(true)
    expect(await inspect(new File(['x'], 'gz'))).toEqual({
      efiAt: undefined,
      isCd: false,
      isCompressed: false,
    })
  })
})

describe('doubts', () => {
  const plain = { efiAt: undefined, isCd: false, isCompressed: false }

  it('about the block size name both numbers', () => {
    expect(blockSizeDoubt({ ...plain, efiAt: 4096 }, 512)).toMatch(/4096.*512/)
    expect(blockSizeDoubt({ ...plain, efiAt: 512 }, 512)).toBeUndefined()
    expect(blockSizeDoubt({ ...plain, efiAt: 512, isCd: true }, 512)).toBeUndefined()
    expect(blockSizeDoubt({ ...plain, isCd: true }, 512)).toMatch(/2048/)
    expect(blockSizeDoubt({ ...plain, isCd: true }, 2048)).toBeUndefined()
    expect(blockSizeDoubt(plain, 4096)).toBeUndefined()
  })

  it('about booting: no mark, a compressed file, or both', () => {
    expect(bootDoubts({ ...plain, efiAt: 512 })).toEqual([])
    expect(bootDoubts({ ...plain, isCd: true })).toEqual([])
    expect(bootDoubts({ ...plain, isCd: true, isCompressed: true })).toHaveLength(1)
    expect(bootDoubts(plain)[0]).toMatch(/EFI PART/)
    expect(bootDoubts({ ...plain, isCompressed: true })).toHaveLength(2)
  })
})
