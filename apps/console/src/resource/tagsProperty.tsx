import type { Tags } from '@purlin/contract/rules/tags'
import { tagTexts } from '#/lib/tagTexts.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import type { Property } from '#/ui/value/PropertiesTable.tsx'

/** The 'Tags' row, for a resource that has some. */
export function tagsProperty({ tags }: { tags?: Tags | undefined }): Property[] {
  const texts = tagTexts(tags)
  if (texts.length === 0) return []
  const value = (
    <ul className="flex flex-wrap gap-1">
      {texts.map((text) => (
        <li key={text} className="min-w-0">
          <Badge className="wrap-anywhere">{text}</Badge>
        </li>
      ))}
    </ul>
  )
  return [{ label: 'Tags', value }]
}
