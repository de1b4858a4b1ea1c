import CalendarClock from 'lucide-react/icons/calendar-clock'
import { useRef, useState } from 'react'
import { formatTick } from '#/lib/format.ts'
import { Button } from '#/ui/button/Button.tsx'
import type { TimeRange } from '#/ui/chart/data.ts'
import { useZone } from '#/ui/chart/useZone.ts'
import { ListboxField } from '#/ui/field/ListboxField.tsx'
import { presets, isPreset } from './range.ts'
import type { RangeControl } from './useRange.ts'
import { lazily } from '#/lib/lazily.tsx'

const RangeDialog = lazily(() => import('./RangeDialog.tsx'), 'RangeDialog')

const custom = 'custom'
const items = [
  ...Object.entries(presets).map(([value, { label }]) => ({ value, label })),
  { value: custom, label: 'Custom' },
]

/** Chooses the range of time that is shown: one of the presets, which end now, or any range. */
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
        onChange={(next) => (isPreset(next) ? control.setPreset(next) : control.setRange(range))}
      />
      <RangeButton range={range} onChange={control.setRange} />
    </div>
  )
}

/** Shows a range, and opens the dialog that changes it. */
export function RangeButton({ range, onChange }: { range: TimeRange; onChange: (range: TimeRange) => void }) {
  const [isOpen, setOpen] = useState(false)
  const style = useZone()
  const button = useRef<HTMLButtonElement>(null)
  const text = [range.start, range.end]
    .map((end) => formatTick(new Date(end), { day: true }, style))
    .join(' – ')
  return (
    <>
      <Button
        ref={button}
        size="small"
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        icon={<CalendarClock size={13} aria-hidden />}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="mono">{text}</span>
      </Button>
      {isOpen && (
        <RangeDialog
          button={button}
          range={range}
          isUtc={style.timeZone === 'UTC'}
          onChange={onChange}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
