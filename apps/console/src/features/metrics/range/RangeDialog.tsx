import { type DateValue, Time, toCalendarDateTime, today, type ZonedDateTime } from '@internationalized/date'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { DateField, DateInput, DateSegment } from 'react-aria-components/DateField'
import { Dialog } from 'react-aria-components/Dialog'
import { Label } from 'react-aria-components/Label'
import { Popover } from 'react-aria-components/Popover'
import {
  CalendarCell,
  CalendarGrid,
  CalendarHeading,
  RangeCalendar,
} from 'react-aria-components/RangeCalendar'
import type { TimeRange } from '#/ui/chart/data.ts'
import { FieldError } from '#/ui/field/fieldParts.tsx'
import { finestOf, fromField, offsetText, toField, withOffsetOf, zoneOf } from './fieldTime.ts'
import { isRange } from './range.ts'

const pause = 400

export interface RangeDialogProps {
  range: TimeRange
  isUtc: boolean
  button: RefObject<HTMLElement | null>
  onChange: (range: TimeRange) => void
  onClose: () => void
}

/** A calendar for the days and two fields for the ends of a range. */
export function RangeDialog({ button, onClose, ...fields }: RangeDialogProps) {
  return (
    <Popover
      isOpen
      triggerRef={button}
      placement="bottom end"
      offset={6}
      onOpenChange={onClose}
      className="floating-box w-72 max-w-[calc(100vw-2rem)] overflow-y-auto animate-appear"
    >
      <Dialog aria-label="Time range" className="flex flex-col gap-3 p-4 outline-none">
        <Ends key={String(fields.isUtc)} {...fields} />
      </Dialog>
    </Popover>
  )
}

type Ends = { [end in keyof TimeRange]: ZonedDateTime | null }

/** A valid range is shown when nothing has been changed for a moment. */
function Ends({ range, isUtc, onChange }: Omit<RangeDialogProps, 'button' | 'onClose'>) {
  const [first] = useState({ start: toField(range.start, isUtc), end: toField(range.end, isUtc) })
  const [ends, setEnds] = useState<Ends>(first)
  const [isChanged, setChanged] = useState(false)
  const change = (next: Partial<Ends>) => {
    const { start, end } = { ...ends, ...next }
    const kept = { start: ends.start ?? first.start, end: ends.end ?? first.end }
    setEnds({ start: start && withOffsetOf(kept.start, start), end: end && withOffsetOf(kept.end, end) })
    setChanged(true)
  }
  const wanted = { start: fromField(ends.start), end: fromField(ends.end) }
  const isValid = isRange(wanted)
  const show = useEffectEvent(() => isValid && onChange(wanted))
  useEffect(() => {
    if (!isChanged) return
    const timer = window.setTimeout(show, pause)
    return () => window.clearTimeout(timer)
  }, [isChanged, ends])
  const moment = (label: string, end: keyof Ends) => (
    <Moment
      label={label}
      aside={isUtc ? 'UTC' : ['Local time', offsetText(ends[end]) ?? []].flat().join(', ')}
      isInvalid={!isValid}
      granularity={finestOf(first.start, first.end)}
      value={ends[end]}
      onChange={(value) => change({ [end]: value })}
    />
  )
  return (
    <>
      <Days ends={isValid ? ends : undefined} zone={zoneOf(isUtc)} onChange={change} />
      {moment('Start time', 'start')}
      <div>
        {moment('End time', 'end')}
        <FieldError id="range-error" error={isValid ? undefined : 'Date range is invalid'} />
      </div>
    </>
  )
}

const stepClass = 'grid size-7 place-content-center rounded-md text-secondary hover:bg-hover hover:text-ink'
const dayClass =
  'grid h-8 w-9 cursor-pointer place-content-center rounded-md outline-none hover:bg-hover data-focus-visible:outline-2 data-focus-visible:outline-focus data-today:underline data-today:decoration-dotted data-today:underline-offset-3 data-selected:rounded-none data-selected:bg-accent-soft data-selected:text-accent-text data-selection-start:rounded-l-md! data-selection-start:bg-accent! data-selection-start:text-on-accent! data-selection-end:rounded-r-md! data-selection-end:bg-accent! data-selection-end:text-on-accent! data-disabled:cursor-not-allowed data-disabled:bg-transparent! data-disabled:text-tertiary data-outside-month:hidden'

/** The days from the first to the last of a range; days to come are not offered. */
function Days({
  ends,
  zone,
  onChange,
}: {
  ends: Ends | undefined
  zone: string
  onChange: (ends: Ends) => void
}) {
  const value = ends?.start && ends.end ? { start: ends.start, end: ends.end } : null
  // The month shown follows an end that is typed.
  const [shown, setShown] = useState<DateValue | null>(value?.end ?? null)
  const [seen, setSeen] = useState(ends)
  if (ends && ends !== seen) {
    setSeen(ends)
    setShown(ends.start !== seen?.start ? ends.start : ends.end)
  }
  return (
    <RangeCalendar
      aria-label="Days"
      value={value}
      onChange={onChange}
      maxValue={toCalendarDateTime(today(zone), new Time(23, 59, 59, 999))}
      focusedValue={shown}
      onFocusChange={setShown}
    >
      <div className="flex items-center justify-between pb-2">
        <Button slot="previous" className={stepClass}>
          <ChevronLeft size={15} />
        </Button>
        <CalendarHeading className="font-medium" />
        <Button slot="next" className={stepClass}>
          <ChevronRight size={15} />
        </Button>
      </div>
      <CalendarGrid className="w-full text-center text-hint tabular-nums [&_th]:pb-1 [&_th]:font-normal [&_th]:text-tertiary">
        {(date) => <CalendarCell date={date} className={dayClass} />}
      </CalendarGrid>
    </RangeCalendar>
  )
}

function Moment({
  label,
  aside,
  isInvalid,
  granularity,
  value,
  onChange,
}: {
  label: string
  aside: string
  isInvalid: boolean
  granularity: 'minute' | 'second'
  value: ZonedDateTime | null
  onChange: (value: ZonedDateTime | null) => void
}) {
  return (
    <DateField
      value={value}
      onChange={onChange}
      isInvalid={isInvalid}
      granularity={granularity}
      hideTimeZone
      shouldForceLeadingZeros
    >
      <div className="flex justify-between">
        <Label className="font-medium text-ink">{label}</Label>
        <span className="text-hint text-tertiary">{aside}</span>
      </div>
      <DateInput className="control-box mono mt-1.5 flex h-control items-center px-2.5">
        {(segment) => (
          <DateSegment
            segment={segment}
            className="rounded-sm px-px whitespace-pre outline-none data-focused:bg-accent data-focused:text-on-accent data-placeholder:text-tertiary"
          />
        )}
      </DateInput>
    </DateField>
  )
}
