/** The request of the form that imports an image, and the words for an import under way. */
import type { imageImportCreate, imageImportView } from '@purlin/contract/operations/storage/image-imports'
import { headLength, recogniseImage } from '@purlin/contract/rules/images/formats'
import { chargedFor, imageAddressProblem, importLimits } from '@purlin/contract/rules/images/imports'
import { formatBytes } from '@purlin/contract/rules/limits'
import type { Args, Result } from '@purlin/contract/op'
import { formatSize } from '#/lib/format.ts'
import { shortStorage, type Utilization } from '#/features/utilization/quota.ts'
import { withKept } from '#/resource/form/tags.ts'
import { blockSizeOf } from '#/features/disks/body.ts'
import { emptyImage, type ImageDetails } from '../ImageFields.tsx'
import { cloudImages, urlOf } from './cloudImages.ts'

export type Import = Result<typeof imageImportView>

export interface Values extends ImageDetails {
  from: 'url' | 'file'
  /** One of the well-known images, or empty. */
  known: string
  url: string
  file: File | null
  sha256: string
}
export const empty: Values = {
  from: 'url',
  known: '',
  url: '',
  file: null,
  ...emptyImage,
  sha256: '',
}

/** The fields that a well-known image fills in. */
export function detailsOf(known: string): Pick<Values, 'name' | 'os' | 'version' | 'url'> | undefined {
  const image = cloudImages.find(({ name }) => name === known)
  return image && { name: image.name, os: image.os, version: image.version, url: urlOf(image) }
}

export function toBody(values: Values): Args<typeof imageImportCreate>['body'] {
  const { name, description, os, version, blockSize, sha256, from, url, file } = values
  return withKept(
    {
      name,
      description,
      os,
      version,
      blockSize: blockSizeOf(blockSize),
      source:
        from === 'url'
          ? { type: 'url' as const, url: url.trim() }
          : { type: 'upload' as const, size: file?.size ?? 0 },
      sha256: sha256.trim() === '' ? null : sha256.trim(),
    },
    values,
  )
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

export function urlProblem(text: string): string | undefined {
  const problem = imageAddressProblem(text.trim())
  return problem && sentence(problem)
}

export const digestProblem = (text: string): string | undefined =>
  /^\s*([0-9a-f]{64})?\s*$/i.test(text) ? undefined : 'A SHA-256 has 64 hexadecimal digits'

/** Why a file cannot be sent, from its first bytes and the free storage, as far as that is known. */
export async function fileProblem(
  file: File | null,
  utilization?: () => Promise<Utilization | undefined>,
): Promise<string | undefined> {
  if (!file) return undefined
  if (file.size > importLimits.file) return `The file can be at most ${formatBytes(importLimits.file)}`
  const found = await recogniseFile(file)
  if ('problem' in found) return found.problem
  const use = await utilization?.()
  return use && storageProblem(use, file.size, found.diskSize)
}

/** The storage that the import of a file needs as far as its first bytes say so; undefined if it cannot become an image. */
export async function storageFor(file: File): Promise<number | undefined> {
  const found = await recogniseFile(file)
  return 'problem' in found ? undefined : chargedFor({ file: file.size, disk: found.diskSize })
}

/** The disk of a file that is compressed is known only when the server unpacks it. */
function storageProblem(use: Utilization, file: number, disk: number | undefined): string | undefined {
  const needed = chargedFor({ file, disk })
  const content = disk === undefined ? 'the file' : 'the file and the disk in it'
  return shortStorage(use, { needed, of: 'import', content })
}

/** The form of a file. Rejects if it cannot be read. */
async function recogniseFile(file: Blob) {
  const bytes = new Uint8Array(await file.slice(0, headLength).arrayBuffer())
  return recogniseImage({ bytes, size: file.size })
}

export const isActive = ({ state }: Pick<Import, 'state'>): boolean => state !== 'failed'

/** How much of the file has arrived, if that is known. */
export const percentOf = ({ received, size }: Pick<Import, 'received' | 'size'>): number | undefined =>
  size === null || size === 0 ? undefined : Math.floor((100 * received) / size)

/** The progress of an import in words. */
export function progressText(one: Import): string {
  switch (one.state) {
    case 'receiving': {
      const arrived = formatSize(one.received)
      const progress =
        one.size === null ? `${arrived} received` : `${arrived} of ${formatSize(one.size)} received`
      return one.problem === null ? progress : `${progress}. ${one.problem}`
    }
    case 'unpacking':
      return one.problem ?? `Unpacking${one.format === null ? '' : ` ${one.format}`} and storing`
    case 'failed':
      return one.problem ?? 'Failed'
  }
}
