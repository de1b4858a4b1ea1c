import Check from 'lucide-react/icons/check'
import CircleDot from 'lucide-react/icons/circle-dot'
import Flag from 'lucide-react/icons/flag'
import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'
import type { VpcTarget } from '#/lib/addresses.ts'
import { cx } from '#/lib/text.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import type { Step, Trace } from './places.ts'
import { StepPlace } from './StepPlace.tsx'

const titles: Record<Step['type'], string> = {
  source_check: 'Source check',
  firewall_out: 'Firewall, outbound',
  route: 'Route',
  gateway: 'Internet gateway',
  external_address: 'External address',
  firewall_in: 'Firewall, inbound',
  delivery: 'Delivery',
}
const verdicts = {
  pass: { word: 'Pass', tone: 'ok', mark: 'border-ok bg-ok-soft text-ok', Icon: Check },
  drop: { word: 'Drop', tone: 'danger', mark: 'border-danger bg-danger-soft text-danger', Icon: X },
} as const

interface TracePathProps {
  trace: Trace
  vpc: VpcTarget
  /** The labels of the ends. */
  from: string
  to: string
  /** The id of a route that is not stored. */
  typed?: string
  className?: string
}

/** The way of a packet from one end to the other, hop by hop. After a drop it is only hinted at. */
export function TracePath({ trace: { result, steps }, vpc, from, to, typed, className }: TracePathProps) {
  const isPassed = result === 'pass'
  return (
    <ol aria-label="Path" className={cx('flex flex-col p-4', className)}>
      <Hop mark={<CircleDot size={14} aria-hidden />} markClass="border-line-strong bg-page text-secondary">
        <EndName word="From" name={from} />
      </Hop>
      {steps.map((step, i) => {
        const { word, tone, mark, Icon } = verdicts[step.result]
        return (
          <Hop key={i} mark={<Icon size={14} aria-hidden />} markClass={mark} isCut={step.result === 'drop'}>
            <div className="flex min-h-6 flex-wrap items-center gap-x-2.5 gap-y-1">
              <h3 className="font-semibold">{titles[step.type]}</h3>
              <Badge tone={tone}>{word}</Badge>
            </div>
            <p className="mt-0.5 max-w-prose wrap-anywhere">{step.text}</p>
            <StepPlace step={step} vpc={vpc} typed={typed} />
          </Hop>
        )
      })}
      <Hop
        isLast
        mark={<Flag size={13} aria-hidden />}
        markClass={cx(
          'bg-page text-secondary',
          isPassed ? 'border-line-strong' : 'border-dashed border-line-strong',
        )}
      >
        <EndName word="To" name={to} note={isPassed ? undefined : 'not reached'} />
      </Hop>
    </ol>
  )
}

function EndName({ word, name, note }: { word: string; name: string; note?: string | undefined }) {
  return (
    <div className="flex min-h-6 flex-wrap items-center gap-x-2.5">
      <span className="label-mono">{word}</span>
      <span className="mono min-w-0 font-medium wrap-anywhere">{name}</span>
      {note && <span className="text-secondary">{note}</span>}
    </div>
  )
}

interface HopProps {
  mark: ReactNode
  markClass: string
  /** The packet does not come beyond it. */
  isCut?: boolean
  isLast?: boolean
  children: ReactNode
}

/** A mark on the line, followed by the event there. */
function Hop({ mark, markClass, isCut = false, isLast = false, children }: HopProps) {
  return (
    <li className={cx('relative flex gap-3', !isLast && 'pb-5')}>
      {!isLast && (
        <span
          aria-hidden
          className={cx(
            'absolute top-6 bottom-0 left-[11.5px] border-l border-line-strong',
            isCut && 'border-dashed',
          )}
        />
      )}
      <span
        className={cx('relative grid size-6 shrink-0 place-content-center rounded-full border', markClass)}
      >
        {mark}
      </span>
      <div className="min-w-0 grow">{children}</div>
    </li>
  )
}
