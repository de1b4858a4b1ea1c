import { toneOfState } from '#/resource/list/StateBadge.tsx'
import { UiLink } from '#/ui/button/link.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { Badge } from '#/ui/value/Badge.tsx'
import { BigNum } from '#/ui/value/BigNum.tsx'
import { filteredHref } from '#/resource/address/filteredHref.ts'
import { kindOf, statesOf, type Counts } from './overview.ts'

const placeholders = [1, 2, 3, 4, 5, 6]

/** A card for each kind: how many there are, and how many in each state. */
export function Contents({
  project,
  resources,
}: {
  project: string
  resources: readonly Counts[] | undefined
}) {
  return (
    <section aria-label="Contents" className="grid gap-3 frame:grid-cols-3">
      {resources
        ? resources.map((counts) => <ContentsOf key={counts.kind} project={project} counts={counts} />)
        : placeholders.map((key) => <Skeleton key={key} className="h-[104px] rounded-lg" />)}
    </section>
  )
}

function ContentsOf({ project, counts }: { project: string; counts: Counts }) {
  const kind = kindOf(counts.kind)
  if (!kind) return null
  const { title, icon: Icon, section } = kind
  return (
    <div className="flex flex-col gap-2.5 rounded-lg border border-line bg-raised px-4 py-3">
      <UiLink href={section.list(project)} className="group flex items-center gap-2">
        <Icon aria-hidden className="size-4 text-tertiary" />
        <span className="label-mono group-hover:text-ink">{title}</span>
        <span className="mono ml-auto text-lg">
          {counts.totalItems === undefined ? '—' : <BigNum value={counts.totalItems} />}
        </span>
      </UiLink>
      <ul className="flex flex-wrap gap-1.5 empty:hidden" aria-label={`${title} by state`}>
        {statesOf(counts).map(({ filter, value, word, count }) => (
          <li key={filter}>
            <UiLink href={filteredHref(kind, project, filter)}>
              <Badge tone={toneOfState(value)}>
                {word} {count.toLocaleString()}
              </Badge>
            </UiLink>
          </li>
        ))}
      </ul>
    </div>
  )
}
