import { countOf } from '@purlin/contract/rules/kinds'
import { limits } from '@purlin/contract/rules/limits'
import { filteredHref } from '#/resource/address/filteredHref.ts'
import { kinds } from '#/resource/kinds.ts'
import { TextLink } from '#/ui/button/link.tsx'
import { CutText } from '#/ui/table/CutText.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import type { Image } from './images.tsx'

interface UsedByProps {
  /** Servers that know the original API only do not count the disks. */
  image: Pick<Image, 'id' | 'projectId' | 'totalDisks'>
  /** The project of the image: its list of disks has them. The disks of an image of the silo are in many. */
  project: string | undefined
}

/** '3 disks' that were made from an image. */
export function UsedBy({ image: { id, totalDisks = 0 }, project }: UsedByProps) {
  if (totalDisks === 0) return <Dash />
  const most = limits.lists.disksOfImage
  const text = totalDisks < most ? countOf(totalDisks, 'disk') : `${most.toLocaleString()}+ disks`
  if (project === undefined) return text
  return (
    <CutText text={text}>
      <TextLink href={filteredHref(kinds.disk, project, `image:${id}`)}>{text}</TextLink>
    </CutText>
  )
}
