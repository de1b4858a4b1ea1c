/** The disks made from an image or a snapshot, shown before it is deleted. */
import { diskList } from '@purlin/contract/operations/storage/disks'
import { load } from '#/api/query.ts'
import { joinedByAnd } from '#/lib/format.ts'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { everyPage } from '#/api/everyPage.ts'

const shown = 3

/** Names of the project's disks with this source; none if the disks cannot be read. Lists have a filter for images. */
export async function disksMadeFrom(
  project: string,
  source: 'imageId' | 'snapshotId',
  id: string,
): Promise<string[]> {
  const filter = source === 'imageId' ? [`image:${id}`] : []
  const disks = await load(everyPage(diskList, { query: { project, filter } })).catch(() => [])
  // Servers that know the original API only do not filter.
  return disks.filter((disk) => disk[source] === id).map(({ name }) => name)
}

/** 'a, b, c and 4 more' */
export function someOf(names: readonly string[]): string {
  const rest = names.length - shown
  if (rest > 0) return `${names.slice(0, shown).join(', ')} and ${rest} more`
  return joinedByAnd(names)
}

/** Names the disks that remain. */
export function MadeFrom({ disks }: { disks: readonly string[] }) {
  if (disks.length === 0) return null
  return (
    <p>
      {disks.length === 1 ? 'One disk was' : `${disks.length} disks were`} created from it:{' '}
      <Highlight>{someOf(disks)}</Highlight>. {disks.length === 1 ? 'It is' : 'They are'} not affected.
    </p>
  )
}
