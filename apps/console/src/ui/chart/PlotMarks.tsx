import { formatExact, type DateStyle } from '#/lib/format.ts'
import { TextLink } from '#/ui/button/link.tsx'
import { InfoPopover } from '#/ui/overlay/InfoPopover.tsx'
import type { TimeRange } from './data.ts'
import type { PlotArea } from './drawing.ts'
import { groupsOf, useMarks, type ChartMark } from './marks.ts'

/** Least distance of two marks in CSS pixels: each can be hit alone (WCAG 2.2, 2.5.8). */
const least = 26

interface Props {
  range: TimeRange
  area: PlotArea
  style: DateStyle
}

/** The marks of a chart over its drawing; a press says what happened. */
export function PlotMarks({ range, area, style }: Props) {
  const { items, all } = useMarks()
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
        <span className="pointer-events-auto">
          <InfoPopover
            label={labelOf(group, style)}
            size="tiny"
            align={first.at - range.start < length / 2 ? 'start' : 'end'}
            className="w-72"
            icon={<span className="size-2 rotate-45 bg-(--text-tertiary)" />}
          >
            {({ titleId }) => (
              <div className="flex flex-col gap-2.5 px-4 py-3">
                <h4 id={titleId} className="font-semibold">
                  {changes(group.length)}
                </h4>
                <ul className="flex max-h-60 flex-col gap-2 overflow-y-auto">
                  {group.map((mark) => (
                    <Change key={mark.id} mark={mark} style={style} />
                  ))}
                </ul>
                <TextLink href={all} className="self-start">
                  All activity
                </TextLink>
              </div>
            )}
          </InfoPopover>
        </span>
        <span className="mb-6 w-0 grow border-l border-dashed border-line-strong" />
      </span>
    )
  })
}

const Change = ({ mark: { at, title, by }, style }: { mark: ChartMark; style: DateStyle }) => (
  <li>
    <div className="font-medium">{title}</div>
    <div className="text-hint text-secondary">
      {by && `${by}, `}
      {formatExact(new Date(at), style)}
    </div>
  </li>
)

const changes = (count: number): string => (count === 1 ? '1 change' : `${count} changes`)

function labelOf(group: readonly ChartMark[], style: DateStyle): string {
  const [{ title, at } = { title: '', at: 0 }] = group
  const time = formatExact(new Date(at), style)
  return group.length === 1 ? `${title}, ${time}` : `${changes(group.length)} from ${time}`
}
