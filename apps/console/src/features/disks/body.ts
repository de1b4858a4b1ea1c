/** A new disk as its form holds it, and the request that is made of it. */
import type { diskCreate, diskView } from '@purlin/contract/operations/storage/disks'
import type { Args, Result } from '@purlin/contract/op'
import { GiB, limits } from '@purlin/contract/rules/limits'
import { copyName } from '#/lib/input/names.ts'
import { noneKept, tagsText, withKept, type KeptValues } from '#/resource/form/tags.ts'
import { validateBetween } from '#/lib/input/validate.ts'

/** The request for a disk, and for an instance's new disks. */
export type DiskBody = Args<typeof diskCreate>['body']
type BlockSize = (typeof limits.disk.blockSizes)[number]

/** The source of a disk. */
export type DiskFormSource = 'blank' | 'snapshot' | 'image'

export interface DiskFormValues extends KeptValues {
  name: string
  description: string
  source: DiskFormSource
  /** bytes, as text because radio buttons hold texts */
  blockSize: `${BlockSize}`
  /** ids, empty while none is chosen */
  snapshot: string
  image: string
  /** GiB; NaN while empty */
  size: number
}

/** GiB */
export const diskSize = { min: limits.disk.minSize / GiB, max: limits.disk.maxSize / GiB, initial: 10 }

export const emptyDisk: DiskFormValues = {
  name: '',
  description: '',
  ...noneKept,
  source: 'blank',
  blockSize: '4096',
  snapshot: '',
  image: '',
  size: diskSize.initial,
}

/** The initial values of a clone: a disk from the same source with a different name. */
export function cloneOf(disk: Cloned): DiskFormValues {
  const { snapshotId, imageId } = disk
  return {
    ...emptyDisk,
    name: copyName(disk.name),
    description: disk.description,
    tags: tagsText(disk.tags),
    source: snapshotId ? 'snapshot' : imageId ? 'image' : 'blank',
    snapshot: snapshotId ?? '',
    image: snapshotId ? '' : (imageId ?? ''),
    blockSize: `${blockSizeOf(String(disk.blockSize))}`,
    size: Math.max(diskSize.min, Math.ceil(disk.size / GiB)),
  }
}
type Cloned = Pick<
  Result<typeof diskView>,
  'name' | 'description' | 'tags' | 'snapshotId' | 'imageId' | 'blockSize' | 'size'
>

/** The block size of a text that a field has. */
export const blockSizeOf = (text: string): BlockSize =>
  limits.disk.blockSizes.find((size) => String(size) === text) ?? 4096

function sourceOf({ source, blockSize, snapshot, image }: DiskFormValues): DiskBody['diskSource'] {
  switch (source) {
    case 'blank':
      return { type: 'blank', blockSize: blockSizeOf(blockSize) }
    case 'snapshot':
      return { type: 'snapshot', snapshotId: snapshot }
    case 'image':
      return { type: 'image', imageId: image }
  }
}

/** The request of a filled form. */
export const diskToBody = (form: DiskFormValues): DiskBody =>
  withKept(
    {
      name: form.name,
      description: form.description,
      size: form.size * GiB,
      diskSource: sourceOf(form),
    },
    form,
  )

/** The form of a request, to change one that was not sent yet. */
export const bodyToForm = ({
  name,
  description,
  tags,
  protected: isProtected,
  size,
  diskSource: source,
}: DiskBody): DiskFormValues => ({
  ...emptyDisk,
  name,
  description,
  tags: tagsText(tags ?? {}),
  protected: isProtected === true,
  size: size / GiB,
  ...(source.type === 'blank' ? { blockSize: `${blockSizeOf(String(source.blockSize))}` } : {}),
  ...(source.type === 'snapshot' ? { source: 'snapshot', snapshot: source.snapshotId } : {}),
  ...(source.type === 'image' ? { source: 'image', image: source.imageId } : {}),
})

/** The smallest whole number of GiB for a source of this many bytes. */
export const leastGiB = (bytes: number): number => Math.max(diskSize.min, Math.ceil(bytes / GiB))

/** A comfortable size for a source: the next multiple of 10 GiB, never more than a disk may have. */
export const roomyGiB = (bytes: number): number =>
  Math.min(diskSize.max, Math.ceil(leastGiB(bytes) / 10) * 10)

/** The size in GiB after a source was chosen: raised if the source would not fit, else as it was. */
export const sizeForSource = (size: number, bytes: number): number =>
  size >= leastGiB(bytes) ? size : roomyGiB(bytes)

/** The problem with a size in GiB for a disk from a source of this many bytes, if it has one. */
export function diskSizeProblem(
  size: number,
  source?: { noun: 'image' | 'snapshot'; bytes: number },
): string | undefined {
  const outside = validateBetween({ min: diskSize.min, max: diskSize.max, unit: 'GiB' })(size)
  if (outside || !source || size >= leastGiB(source.bytes)) return outside
  return `Must be as large as selected ${source.noun} (min. ${leastGiB(source.bytes)} GiB)`
}
