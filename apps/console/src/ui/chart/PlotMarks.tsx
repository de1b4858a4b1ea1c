import { formatExact, type DateStyle } from '#/lib/format.ts'
import { iconButtonClass } from '#/ui/button/IconButton.tsx'
import { UiLink } from '#/ui/button/link.tsx'
import { Tooltip } from '#/ui/overlay/Tooltip.tsx'
import type { TimeRange } from './data.ts'
import type { PlotArea } from './drawing.ts'
import { groupsOf, useMarks, type ChartMark } from './marks.ts'

/** Least distance of two marks in CSS pixels: each can be hit alone (WCAG 2.2, 2.5.8). */
const least = 26
/** Changes that the text next to a mark names. */
const named = 4

interface Props {
  range: TimeRange
  area: PlotArea
  style: DateStyle
}

/** The marks of a chart over its drawing; a press opens what happened. */
export function PlotMarks({ range, area, style }: Props) {
  const { items, hrefOf } = useMarks()
  const length = range.end - range.start
  return groupsOf(items, range, (least * length) / area.width).map((group) => {
    const [first] = group
    if (!first) return null
    return (
      <span
        key={first.id}
        className="pointer-events-none absolute inset-y-0 flex w-6 -translate-x-1/2 flex-col items-center"
        style={{ left: area.left + ((first.at - range.start) / length) * area.width }}
      >
        <Tooltip describes={false} placement="bottom" content={<Changes {...{ group, style }} />}>
          <UiLink
            href={hrefOf(group)}
            aria-label={labelOf(group, style)}
            className={iconButtonClass('tiny', 'pointer-events-auto')}
          >
            <span className="size-2 rotate-45 bg-(--text-tertiary)" />
          </UiLink>
        </Tooltip>
        <span className="mb-6 w-0 grow border-l border-dashed border-line-strong" />
      </span>
    )
  })
}

/** The first changes of a mark, and how many more there are. */
function Changes({ group, style }: { group: readonly ChartMark[]; style: DateStyle }) {
  const more = group.length - named
  return (
    <span className="flex flex-col gap-1.5">
      {group.slice(0, named).map(({ id, title, at, by }) => (
        <span key={id}>
          <span className="block font-medium">{title}</span>
          <span className="text-secondary">{detailsOf(by, at, style)}</span>
        </span>
      ))}
      {more > 0 && <span className="text-secondary">and {more} more</span>}
    </span>
  )
}

const detailsOf = (by: string | undefined, at: number, style: DateStyle): string =>
  [by, formatExact(new Date(at), style)].filter(Boolean).join(', ')

function labelOf(group: readonly ChartMark[], style: DateStyle): string {
  const [{ title, at, by } = { title: '', at: 0, by: undefined }] = group
  return group.length === 1
    ? `${title}, ${detailsOf(by, at, style)}`
    : `${group.length} changes from ${formatExact(new Date(at), style)}`
}
