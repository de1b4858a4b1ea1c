/** The fields of an image that every form of a new one has. */
import { imageCreate } from '@purlin/contract/operations/storage/images'
import { limits } from '@purlin/contract/rules/limits'
import type { ReactNode } from 'react'
import type { Control, FieldValues } from 'react-hook-form'
import { BlockSizeControl } from '#/features/disks/BlockSizeControl.tsx'
import { ProtectionControl } from '#/resource/form/ProtectionControl.tsx'
import { noneKept, type KeptValues } from '#/resource/form/tags.ts'
import { textRules } from '#/resource/form/textRules.ts'
import { DescriptionControl } from '#/ui/form/DescriptionControl.tsx'
import { formPart } from '#/ui/form/formPart.ts'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'

/** Their values. The block size is a text because radio buttons hold texts. */
export interface ImageDetails extends KeptValues {
  name: string
  description: string
  os: string
  version: string
  blockSize: string
}

export const emptyImage: ImageDetails = {
  name: '',
  description: '',
  os: '',
  version: '',
  ...noneKept,
  blockSize: String(limits.disk.blockSizes[0]),
}

const withDetails = formPart<ImageDetails>()

interface ImageFieldsProps<V extends FieldValues> {
  control: Control<V>
  /** Why the block size cannot be changed. */
  blockSizeReason?: ReactNode
  onBlockSize?: () => void
}

export function ImageFields<V extends FieldValues & ImageDetails>(props: ImageFieldsProps<V>) {
  const control = withDetails(props.control)
  const { blockSizeReason, onBlockSize } = props
  return (
    <>
      <NameControl name="name" control={control} />
      <DescriptionControl name="description" control={control} />
      <TextControl name="os" control={control} label="OS" {...textRules(imageCreate, 'os')} />
      <TextControl name="version" control={control} {...textRules(imageCreate, 'version')} />
      <BlockSizeControl
        control={control}
        disabledReason={blockSizeReason}
        {...(onBlockSize ? { onValue: onBlockSize } : {})}
      />
      <ProtectionControl control={control} />
    </>
  )
}
