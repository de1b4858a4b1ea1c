import CalendarClock from 'lucide-react/icons/calendar-clock'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { formatTick } from '../../lib/format.ts'
import { Button } from '../../ui/Button.tsx'
import type { TimeRange } from '../../ui/chart/data.ts'
import { useZone } from '../../ui/chart/useZone.ts'
import { ListboxField } from '../../ui/field/ListboxField.tsx'
import { TextField } from '../../ui/field/TextField.tsx'
import { useDismiss } from '../../ui/useDismiss.ts'
import { useFloating } from '../../ui/useFloating.ts'
import { fromField, toField } from './fieldTime.ts'
import { isRange, type Preset, presets } from './range.ts'
import type { RangeControl } from './useRange.ts'

const custom = 'custom'
const items = [
  ...Object.entries(presets).map(([value, { label }]) => ({ value, label })),
  { value: custom, label: 'Custom' },
]

/** Which stretch of time is shown: one of a few that end now, or any. */
export function RangePicker({ control }: { control: RangeControl }) {
  const { preset, range, last } = control
  return (
    <div className="flex flex-wrap items-center gap-2">
      {!preset && (
        <Button size="small" variant="ghost" onClick={() => control.setPreset(last)}>
          Back to {presets[last].label.toLowerCase()}
        </Button>
      )}
      <ListboxField
        label="Choose a time range preset"
        hideLabel
        size="small"
        className="w-34"
        items={items}
        value={preset ?? custom}
        onChange={(next) => (next === custom ? control.setRange(range) : control.setPreset(next as Preset))}
      />
      <RangeButton range={range} onChange={control.setRange} />
    </div>
  )
}

function RangeButton({ range, onChange }: { range: TimeRange; onChange: (range: TimeRange) => void }) {
  const [isOpen, setOpen] = useState(false)
  const style = useZone()
  const button = useRef<HTMLSpanElement>(null)
  const box = useFloating<HTMLDivElement>({ isOpen, anchor: button, placement: 'bottom-end', gap: 6 })
  useDismiss(isOpen, [button, box], (by) => {
    setOpen(false)
    if (by === 'escape') button.current?.querySelector('button')?.focus({ preventScroll: true })
  })
  const text = [range.start, range.end]
    .map((end) => formatTick(new Date(end), { day: true }, style))
    .join(' – ')
  return (
    <span ref={button} className="inline-flex">
      <Button
        size="small"
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        icon={<CalendarClock size={13} aria-hidden />}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="mono">{text}</span>
      </Button>
      {isOpen && (
        <div
          ref={box}
          popover="manual"
          role="dialog"
          aria-label="Time range"
          className="floating-box w-64 max-w-[calc(100vw-2rem)] animate-appear p-4"
        >
          <RangeFields range={range} isUtc={style.timeZone === 'UTC'} onChange={onChange} />
        </div>
      )}
    </span>
  )
}

const pause = 400

/** Start and end. A range that makes sense is taken when nothing has been changed for a moment. */
function RangeFields({
  range,
  isUtc,
  onChange,
}: {
  range: TimeRange
  isUtc: boolean
  onChange: (range: TimeRange) => void
}) {
  const [start, setStart] = useState(() => toField(range.start, isUtc))
  const [end, setEnd] = useState(() => toField(range.end, isUtc))
  const [isChanged, setChanged] = useState(false)
  const wanted = { start: fromField(start, isUtc), end: fromField(end, isUtc) }
  const take = useEffectEvent(() => isRange(wanted) && onChange(wanted))
  useEffect(() => {
    if (!isChanged) return
    const timer = window.setTimeout(take, pause)
    return () => window.clearTimeout(timer)
  }, [isChanged, start, end])
  const change = (set: (text: string) => void) => (text: string) => {
    set(text)
    setChanged(true)
  }
  const zone = isUtc ? 'UTC' : 'Local time'
  return (
    <div className="flex flex-col gap-3">
      <TextField
        label="Start time"
        type="datetime-local"
        required
        aside={zone}
        value={start}
        onChange={change(setStart)}
      />
      <TextField
        label="End time"
        type="datetime-local"
        required
        aside={zone}
        value={end}
        onChange={change(setEnd)}
        error={isRange(wanted) ? undefined : 'Date range is invalid'}
      />
    </div>
  )
}
