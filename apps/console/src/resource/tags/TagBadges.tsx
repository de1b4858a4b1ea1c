import { joinFilters } from '@purlin/contract/rules/query/query'
import type { Tags } from '@purlin/contract/rules/tags'
import { tagTexts } from '#/lib/tagTexts.ts'
import { cx } from '#/lib/text.ts'
import { UiLink } from '#/ui/button/link.tsx'
import { CutText } from '#/ui/table/CutText.tsx'
import { Badge } from '#/ui/value/Badge.tsx'

interface TagBadgesProps {
  tags: Tags | undefined
  /** The address of the list of the resources of this kind, in which a tag leads to those that have it. */
  list: string
  /** How many are shown; all unless given. */
  most?: number
}

/** Tags that lead to all resources of the list with the same one. */
export function TagBadges({ tags, list, most = Infinity }: TagBadgesProps) {
  const texts = tagTexts(tags)
  const left = texts.slice(most)
  return (
    <ul className={cx('flex gap-1', most === Infinity && 'flex-wrap')}>
      {texts.slice(0, most).map((text) => (
        <li key={text} className="min-w-0">
          <UiLink
            href={`${list}?${new URLSearchParams({ filter: joinFilters([`tag:${text}`]) }).toString()}`}
            title={`Show all with the tag ${text}`}
            className="relative inline-flex min-h-6 max-w-full items-center rounded-sm hover:text-accent-text"
          >
            <Badge className={cx('min-w-0 shrink!', most === Infinity ? 'max-w-full' : 'max-w-40')}>
              {most === Infinity ? (
                <span className="truncate">{text}</span>
              ) : (
                <CutText text={text} least={4} />
              )}
            </Badge>
          </UiLink>
        </li>
      ))}
      {left.length > 0 && (
        <li className="flex min-h-6 items-center text-tertiary" title={left.join(', ')}>
          +{left.length}
          <span className="sr-only"> more: {left.join(', ')}</span>
        </li>
      )}
    </ul>
  )
}
