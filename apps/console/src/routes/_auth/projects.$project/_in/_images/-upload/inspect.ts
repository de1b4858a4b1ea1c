/** What the first bytes and the name of a file say about the image in it. */

export interface Finding {
  /** Bytes from the start at which a GPT header stands: the block size it was made for. */
  efiAt: number | undefined
  /** It has the mark of a CD image. */
  isCd: boolean
  isCompressed: boolean
}

const efiOffsets = [512, 2048, 4096] as const
const cdOffset = 0x8001
const compressed = /\.(gz|7z|qcow2|vmdk)$/i

const textAt = async (file: Blob, offset: number, text: string): Promise<boolean> =>
  (await file.slice(offset, offset + text.length).text()) === text

/** Looks into a file. Rejects if it cannot be read. */
export async function inspect(file: Blob & { name: string }): Promise<Finding> {
  const [marks, isCd] = await Promise.all([
    Promise.all(efiOffsets.map((at) => textAt(file, at, 'EFI PART'))),
    textAt(file, cdOffset, 'CD001'),
  ])
  return { efiAt: efiOffsets[marks.indexOf(true)], isCd, isCompressed: compressed.test(file.name) }
}

/** Why the block size chosen may not be the right one, or undefined. */
export function blockSizeDoubt({ efiAt, isCd }: Finding, blockSize: number): string | undefined {
  if (efiAt !== undefined)
    return efiAt === blockSize
      ? undefined
      : `The file has its EFI partition header at byte ${efiAt}, so it was made for blocks of ${efiAt} bytes. ${blockSize} is chosen.`
  return isCd && blockSize !== 2048 ? 'Bootable CDs usually use a block size of 2048.' : undefined
}

/** Why an instance may not boot from the file, each reason in a sentence. */
export function bootDoubts({ efiAt, isCd, isCompressed }: Finding): string[] {
  const noMark =
    'No boot marker was found: neither “EFI PART” at byte 512, 2048 or 4096, nor “CD001” at byte 32769.'
  const packed = 'The name suggests a compressed or converted file. Only raw, uncompressed images work.'
  return [...(efiAt === undefined && !isCd ? [noMark] : []), ...(isCompressed ? [packed] : [])]
}
