import { describe, expect, it } from 'vitest'
import { blockSizeWarning, bootWarnings, inspect } from './imageFile.ts'

function fileWith(name: string, marks: Record<number, string> = {}): File {
  const bytes = new Uint8Array(40_000)
  for (const [at, text] of Object.entries(marks)) bytes.set(new TextEncoder().encode(text), Number(at))
  return new File([bytes], name)
}
const found = async (name: string, marks?: Record<number, string>) => inspect(fileWith(name, marks))

describe('inspect', () => {
  it('finds the block size by the offset of the first EFI header', async () => {
    expect(await found('a.raw', { 512: 'EFI PART' })).toEqual({
      efiAt: 512,
      isCd: false,
      isCompressed: false,
      doubt: undefined,
    })
    expect((await found('a.raw', { 2048: 'EFI PART', 4096: 'EFI PART' })).efiAt).toBe(2048)
    expect((await found('a.raw', { 1024: 'EFI PART' })).efiAt).toBeUndefined()
  })

  it('recognises a CD by its signature and compression by the name, also in short files', async () => {
    expect((await found('a.iso', { 0x8001: 'CD001' })).isCd).toBe(true)
    for (const name of ['a.gz', 'a.7z', 'a.QCOW2', 'a.vmdk'])
      expect((await found(name)).isCompressed).toBe(true)
    expect(await inspect(new File(['x'], 'gz'))).toEqual({
      efiAt: undefined,
      isCd: false,
      isCompressed: false,
      doubt: undefined,
    })
  })

  it('says of a file of another form what it is, whatever its name', async () => {
    const { doubt } = await found('a.raw', { 0: '\u{1f}' })
    expect(doubt).toBeUndefined()
    const packed = await inspect(new File([Uint8Array.of(0x1f, 0x8b, 8, 0), new Uint8Array(1000)], 'a.raw'))
    expect(packed.doubt).toMatch(/recognised as gzip.*Import the file instead/)
    expect(bootWarnings(packed)).toEqual([packed.doubt])
    expect((await found('a.raw', { 0: 'vhdxfile' })).doubt).toBe(
      'The file is a VHDX. Convert it to qcow2 or a raw image first.',
    )
  })
})

describe('warnings', () => {
  const plain = { efiAt: undefined, isCd: false, isCompressed: false, doubt: undefined }

  it('about the block size name both sizes', () => {
    expect(blockSizeWarning({ ...plain, efiAt: 4096 }, 512)).toMatch(/4096.*512/)
    expect(blockSizeWarning({ ...plain, efiAt: 512 }, 512)).toBeUndefined()
    expect(blockSizeWarning({ ...plain, efiAt: 512, isCd: true }, 512)).toBeUndefined()
    expect(blockSizeWarning({ ...plain, isCd: true }, 512)).toMatch(/2048/)
    expect(blockSizeWarning({ ...plain, isCd: true }, 2048)).toBeUndefined()
    expect(blockSizeWarning(plain, 4096)).toBeUndefined()
  })

  it('about booting: no signature, a compressed file, or both', () => {
    expect(bootWarnings({ ...plain, efiAt: 512 })).toEqual([])
    expect(bootWarnings({ ...plain, isCd: true })).toEqual([])
    expect(bootWarnings({ ...plain, isCd: true, isCompressed: true })).toHaveLength(1)
    expect(bootWarnings(plain)[0]).toMatch(/EFI PART/)
    expect(bootWarnings({ ...plain, isCompressed: true })).toHaveLength(2)
  })
})
