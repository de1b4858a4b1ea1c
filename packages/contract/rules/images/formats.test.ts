import { describe, expect, it } from 'vitest'
import { headLength, recogniseImage } from './formats.ts'
import { imageAddressProblem, shownAddress } from './imports.ts'

const MiB = 1024 * 1024

/** Bytes with text, or numbers of a width, at offsets. */
function head(parts: [at: number, value: string | number, width?: number, isLittle?: boolean][]): Uint8Array {
  const bytes = new Uint8Array(headLength)
  const view = new DataView(bytes.buffer)
  for (const [at, value, width = 4, isLittle = false] of parts)
    if (typeof value === 'string')
      for (const [i, letter] of Array.from(value).entries()) bytes[at + i] = letter.codePointAt(0) ?? 0
    else if (width === 8) view.setBigUint64(at, BigInt(value), isLittle)
    else if (width === 4) view.setUint32(at, value, isLittle)
    else bytes[at] = value
  return bytes
}
const of = (bytes: Uint8Array, size = MiB) => recogniseImage({ bytes, size })
const problem = (bytes: Uint8Array, size = MiB) => {
  const found = of(bytes, size)
  return 'problem' in found ? found.problem : found.format
}
type Parts = Parameters<typeof head>[0]

const qcow2: Parts = [
  [0, 'QFI\u{fb}'],
  [4, 3],
  [24, 2 ** 31, 8],
  [36, 16],
  [40, 0x30000, 8],
  [48, 0x10000, 8],
]
const vmdk: Parts = [
  [0, 'KDMV'],
  [12, 4096, 8, true],
  [56, 26, 8, true],
  [64, 128, 8, true],
]
const vdi: Parts = [
  [64, '\u{7f}\u{10}\u{da}\u{be}'],
  [76, 1, 4, true],
  [344, 4096, 4, true],
  [368, 2 ** 30, 8, true],
  [376, MiB, 4, true],
]
const signature: Parts = [[510, 'U\u{aa}']]
const gpt: Parts = [...signature, [450, 0xee, 1], [512, 'EFI PART'], [544, 2047, 8, true]]
const mbr: Parts = [...signature, [450, 0x83, 1], [454, 1, 4, true], [458, 2047, 4, true]]
const cd: Parts = [
  [0x8001, 'CD001'],
  [0x8050, 512, 4, true],
]

describe('a file', () => {
  it.each<[string, Parts, object]>([
    ['qcow2', qcow2, { format: 'qcow2', diskSize: 2 ** 31 }],
    ['VMDK', vmdk, { format: 'vmdk', diskSize: 2 * MiB }],
    ['compressed VMDK', [...vmdk, [56, 2 ** 64 - 1, 8]], { format: 'vmdk', diskSize: 2 * MiB }],
    ['VDI', vdi, { format: 'vdi', diskSize: 2 ** 30 }],
    ['gzip', [[0, '\u{1f}\u{8b}\u{8}']], { format: 'gzip' }],
    ['xz', [[0, '\u{fd}7zXZ\u{0}']], { format: 'xz' }],
    ['zstd', [[0, '\u{28}\u{b5}\u{2f}\u{fd}']], { format: 'zstd' }],
    ['disk with a GPT', gpt, { format: 'raw', diskSize: MiB }],
    ['disk with an MBR', mbr, { format: 'raw', diskSize: MiB }],
    ['ISO', cd, { format: 'iso', diskSize: MiB }],
    ['disk without partitions', [], { format: 'raw', diskSize: MiB }],
  ])('of the form %s is recognised', (_, parts, expected) => {
    // JavaScript cannot write this number exactly.
    const exact = parts.filter(([, value]) => value !== 2 ** 64 - 1)
    const bytes = head(exact)
    if (exact.length < parts.length) bytes.fill(0xff, 56, 64)
    expect(of(bytes)).toEqual(expected)
  })

  it.each<[string, Parts, RegExp]>([
    ['qcow2', qcow2, /^The file is cut off/],
    ['VMDK', vmdk, /^The file is cut off/],
    ['VDI', [...vdi, [388, 1, 4, true]], /^The file is cut off/],
    ['disk with a GPT', gpt, /^The file is cut off/],
    ['disk with an MBR', mbr, /^The file is cut off/],
    ['ISO', cd, /^The file is cut off/],
  ])('of the form %s that is cut off is refused', (_, parts, reason) => {
    expect(problem(head(parts), 4096)).toMatch(reason)
  })

  it.each<[string, Parts, RegExp]>([
    ['a qcow2 with a backing file', [...qcow2, [8, 512, 8]], /needs another file/],
    ['a qcow2 with a data file', [...qcow2, [76, 4]], /needs another file/],
    ['an encrypted qcow2', [...qcow2, [32, 1]], /encrypted/],
    ['a corrupt qcow2', [...qcow2, [76, 2]], /corrupt/],
    ['a qcow of another version', [...qcow2, [4, 1]], /version 1/],
    ['a VMDK that names its data', [...vmdk, [12, 0, 8]], /needs another file/],
    ['a VMDK with a parent', [...vmdk, [600, 'parentFileNameHint="/etc/passwd"']], /needs another file/],
    ['a VMDK with a parent by id', [...vmdk, [600, 'parentCID=12345678']], /needs another file/],
    ['a difference of a VDI', [...vdi, [76, 4, 4, true]], /needs another file/],
    ['a description', [[0, '# Disk DescriptorFile']], /only describes/],
    ['a web page', [[0, '<!DOCTYPE html>']], /web page/],
    ['a zip', [[0, 'PK\u{3}\u{4}']], /zip archive/],
    ['a tar', [[257, 'ustar']], /tar archive/],
    ['a VHDX', [[0, 'vhdxfile']], /VHDX/],
  ])('with %s is refused', (_, parts, reason) => {
    expect(problem(head(parts))).toMatch(reason)
  })

  it('that is empty or very short is named as well', () => {
    expect(problem(new Uint8Array(0), 0)).toBe('The file is empty')
    expect(problem(Uint8Array.of(0x51, 0x46, 0x49, 0xfb), 4)).toMatch(/version 0/)
  })
})

it('an address is of the web, and is shown without its query', () => {
  expect(imageAddressProblem('https://example.org/a/b.qcow2?x=1')).toBeUndefined()
  expect(imageAddressProblem('http://[2001:db8::1]:8080/b')).toBeUndefined()
  for (const text of [
    '',
    'https://',
    'file:///etc/passwd',
    ['https:', '', 'a b', ''].join('/'),
    ['https:', '', 'u:p@h', ''].join('/'),
    'javascript:1',
  ])
    expect(imageAddressProblem(text), text).toBeDefined()
  expect(shownAddress('https://example.org/a?signature=1#x')).toBe('https://example.org/a')
})
