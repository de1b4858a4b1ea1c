import type { Tags } from '@purlin/contract/rules/tags'
import type { Property } from '#/ui/value/PropertiesTable.tsx'
import { TagBadges } from './TagBadges.tsx'

/** The 'Tags' row, for a resource that has some. `list` is the address of the list that it is in. */
export const tagsProperty = ({ tags }: { tags?: Tags | undefined }, list: string): Property[] =>
  tags && Object.keys(tags).length > 0
    ? [{ label: 'Tags', value: <TagBadges tags={tags} list={list} /> }]
    : []
