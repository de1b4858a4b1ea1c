/** Recognises the image in a file by its first bytes and its name. */
import { headLength, recogniseImage, uploadDoubt } from '@purlin/contract/rules/images/formats'

export interface FileFindings {
  /** Offset of the GPT header, which is the block size that the image was made for. */
  efiAt: number | undefined
  /** It has the signature of a CD image. */
  isCd: boolean
  isCompressed: boolean
  /** Why the bytes of the file are no disk, if they show it. */
  doubt: string | undefined
}

const efiOffsets = [512, 2048, 4096] as const
const cdOffset = 0x8001
const compressed = /\.(gz|7z|qcow2|vmdk)$/i

const hasTextAt = async (file: Blob, offset: number, text: string): Promise<boolean> =>
  (await file.slice(offset, offset + text.length).text()) === text

/** Inspects a file. Rejects if it cannot be read. */
export async function inspect(file: Blob & { name: string }): Promise<FileFindings> {
  const [efi, isCd, head] = await Promise.all([
    Promise.all(efiOffsets.map((at) => hasTextAt(file, at, 'EFI PART'))),
    hasTextAt(file, cdOffset, 'CD001'),
    file.slice(0, headLength).arrayBuffer(),
  ])
  const doubt = uploadDoubt(recogniseImage({ bytes: new Uint8Array(head), size: file.size }))
  return { efiAt: efiOffsets[efi.indexOf(true)], isCd, isCompressed: compressed.test(file.name), doubt }
}

/** Why the selected block size may be wrong, or undefined. */
export function blockSizeWarning({ efiAt, isCd }: FileFindings, blockSize: number): string | undefined {
  if (efiAt !== undefined)
    return efiAt === blockSize
      ? undefined
      : `The file has its EFI partition header at byte ${efiAt}, so it was made for a block size of ${efiAt}. The selected block size is ${blockSize}.`
  return isCd && blockSize !== 2048 ? 'Bootable CDs usually use a block size of 2048.' : undefined
}

/** Why an instance may not boot from the image, one sentence per reason. */
export function bootWarnings({ efiAt, isCd, isCompressed, doubt }: FileFindings): string[] {
  if (doubt !== undefined) return [doubt]
  const noSignature =
    'No boot signature was found: neither “EFI PART” at byte 512, 2048 or 4096, nor “CD001” at byte 32769.'
  const packed =
    'The file name suggests a compressed or converted image. Only raw, uncompressed images can boot.'
  return [...(efiAt === undefined && !isCd ? [noSignature] : []), ...(isCompressed ? [packed] : [])]
}
