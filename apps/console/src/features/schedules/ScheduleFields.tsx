import { limits } from '@purlin/contract/rules/limits'
import { useDeferredValue } from 'react'
import { useController, useWatch, type Control } from 'react-hook-form'
import { serverNow } from '#/lib/clock.ts'
import { localTimeProblem } from '#/lib/input/localTime.ts'
import { capitalize } from '#/lib/text.ts'
import { TimeZoneControl } from '#/resource/form/time/TimeZoneControl.tsx'
import { usePicker, type PickerField } from '#/resource/form/usePicker.ts'
import { kinds } from '#/resource/kinds.ts'
import { CheckboxField } from '#/ui/field/CheckboxField.tsx'
import { MiniTable } from '#/ui/field/MiniTable.tsx'
import { CheckboxControl } from '#/ui/form/CheckboxControl.tsx'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'
import { NumberControl } from '#/ui/form/NumberControl.tsx'
import { RadioGroupControl } from '#/ui/form/RadioGroupControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import {
  days,
  keptWords,
  nextRuns,
  targetProblem,
  targets,
  targetsFor,
  timeProblem,
  type Target,
  type Values,
} from './schedule.ts'
import { TagOfTargets } from './TagOfTargets.tsx'

const atMost = `At most ${limits.schedule.targets}`
const intervals = [
  { value: 'daily', label: 'Every day' },
  { value: 'weekly', label: 'On days of the week' },
  { value: 'monthly', label: 'Once a month' },
  { value: 'hours', label: 'Every few hours' },
]

const targetOptions = {
  tag: {
    value: 'tag',
    label: 'Instances with a tag',
    description: 'Those that have it at the time of each run',
  },
  instances: { value: 'instances', label: 'Named instances', description: atMost },
  diskTag: {
    value: 'diskTag',
    label: 'Disks with a tag',
    description: 'Each on its own, attached or not',
  },
  disks: { value: 'disks', label: 'Named disks', description: atMost },
} as const satisfies Record<Target, object>

/** The fields of a schedule, after name and description. */
export function ScheduleFields({ control, project }: { control: Control<Values>; project: string }) {
  const [action, target] = useWatch({ control, name: ['action', 'target'] })
  return (
    <>
      <RadioGroupControl
        name="action"
        control={control}
        required
        direction="row"
        options={[
          { value: 'stop', label: 'Stop' },
          { value: 'start', label: 'Start' },
          { value: 'snapshot', label: 'Take snapshots' },
        ]}
      />
      <RadioGroupControl
        name="target"
        control={control}
        label="For"
        required
        options={targetsFor(action).map((one) => targetOptions[one])}
        validate={(_, values) => targetProblem(values)}
      />
      {target === 'tag' || target === 'diskTag' ? (
        <TagOfTargets control={control} project={project} of={targets[target]} />
      ) : (
        <Named control={control} project={project} of={target} />
      )}
      <hr className="border-line-faint" />
      <Times control={control} />
      <TimeZoneControl
        name="timeZone"
        label="Time zone"
        required
        control={control}
        hint="Runs keep their time of day when clocks change."
      />
      {action === 'snapshot' && <Kept control={control} />}
      <CheckboxControl name="paused" label="Pause the schedule" control={control} />
      <Preview control={control} />
      <p className="text-hint text-secondary">
        It runs in your name. Your role on the project is checked each time.
      </p>
    </>
  )
}

interface NamedProps {
  control: Control<Values>
  project: string
}

const Named = ({ of, ...props }: NamedProps & { of: 'instances' | 'disks' }) =>
  of === 'instances' ? <NamedInstances {...props} /> : <NamedDisks {...props} />

function NamedInstances({ control, project }: NamedProps) {
  const except = useWatch({ control, name: 'instances' })
  const { field } = usePicker(kinds.instance, { scope: { project }, value: '', by: 'name', except })
  return <Names control={control} list="instances" box="instance" picker={field} />
}

function NamedDisks({ control, project }: NamedProps) {
  const except = useWatch({ control, name: 'disks' })
  const { field } = usePicker(kinds.disk, { scope: { project }, value: '', by: 'name', except })
  return <Names control={control} list="disks" box="disk" picker={field} />
}

interface NamesProps {
  control: Control<Values>
  list: 'instances' | 'disks'
  box: 'instance' | 'disk'
  picker: PickerField
}

function Names({ control, list, box: name, picker }: NamesProps) {
  const { field } = useController({ control, name: list })
  const { field: box } = useController({ control, name })
  const add = (chosen: string) => {
    field.onChange([...field.value, chosen])
    box.onChange('')
  }
  return (
    <>
      <ComboboxControl
        name={name}
        control={control}
        label={`Add ${name}`}
        placeholder={`Search ${list}`}
        mono
        {...picker}
        onPick={add}
      />
      <MiniTable
        label={capitalize(list)}
        columns={[{ header: 'Name', cell: (one: string) => <span className="mono">{one}</span> }]}
        rows={field.value}
        rowKey={(one) => one}
        onRemove={(removed) => field.onChange(field.value.filter((one) => one !== removed))}
        removeLabel={(one) => `Remove ${one}`}
      />
    </>
  )
}

const classes = [
  { name: 'hourly', label: 'Hourly' },
  { name: 'daily', label: 'Daily' },
  { name: 'weekly', label: 'Weekly' },
  { name: 'monthly', label: 'Monthly' },
] as const

/** How many snapshots are kept of each class. */
function Kept({ control }: { control: Control<Values> }) {
  return (
    <fieldset>
      <legend className="mb-2 font-[550]">Snapshots to keep</legend>
      <div className="grid grid-cols-2 gap-3">
        {classes.map(({ name, label }) => (
          <NumberControl
            key={name}
            name={name}
            label={label}
            control={control}
            required
            integer
            min={0}
            max={limits.schedule.keep}
            validate={(_, values) =>
              name === 'hourly' && classes.every((one) => values[one.name] === 0)
                ? 'Keep at least one snapshot of a class'
                : undefined
            }
          />
        ))}
      </div>
      <p className="mt-2 text-hint text-secondary">
        A run deletes the others that the schedule has made. Protected ones and those of people stay, and so
        do all of a disk or instance that leaves the schedule.
      </p>
    </fieldset>
  )
}

/** The next runs, and the snapshots that are kept. */
function Preview({ control }: { control: Control<Values> }) {
  // A long preview does not hold up what is typed.
  const values = useDeferredValue(useWatch({ control }) as Values)
  const now = serverNow()
  const runs = values.paused ? [] : nextRuns(values, { now, count: 3 })
  const kept = values.action === 'snapshot' ? keptWords(values, now) : undefined
  if (runs.length === 0 && kept === undefined) return null
  return (
    <div role="group" aria-label="Preview" className="flex flex-col gap-2 text-hint text-secondary">
      {runs.length > 0 && <p>Next runs: {runs.join(', ')}</p>}
      {kept !== undefined && <p>{kept}</p>}
    </div>
  )
}

function Times({ control }: { control: Control<Values> }) {
  const every = useWatch({ control, name: 'every' })
  return (
    <>
      <ListboxControl name="every" control={control} label="Runs" required items={intervals} />
      {every === 'weekly' && <Days control={control} />}
      {every === 'monthly' && (
        <NumberControl
          name="day"
          label="Day of the month"
          control={control}
          required
          integer
          min={1}
          max={31}
          hint="Months that are shorter have it on their last day."
        />
      )}
      {every === 'hours' ? (
        <>
          <NumberControl
            name="hours"
            label="Hours between runs"
            control={control}
            required
            integer
            min={1}
            max={limits.schedule.hours}
          />
          <TextControl
            name="firstRun"
            label="First run"
            type="datetime-local"
            control={control}
            validate={localTimeProblem}
            hint="In the time zone below. Leave blank to run now. Later runs follow at the interval."
          />
        </>
      ) : (
        <TextControl name="time" label="Time" type="time" control={control} required validate={timeProblem} />
      )}
    </>
  )
}

function Days({ control }: { control: Control<Values> }) {
  const { field, fieldState } = useController({
    control,
    name: 'days',
    rules: { validate: (chosen) => chosen.length > 0 || 'Choose a day' },
  })
  return (
    <fieldset className="flex flex-wrap gap-x-4 gap-y-2">
      <legend className="mb-2 font-[550]">Days</legend>
      {days.map((day) => (
        <CheckboxField
          key={day}
          label={capitalize(day)}
          checked={field.value.includes(day)}
          onChange={(isChosen) =>
            field.onChange(days.filter((one) => (one === day ? isChosen : field.value.includes(one))))
          }
        />
      ))}
      {fieldState.error && (
        <p role="alert" className="basis-full text-hint text-danger">
          {fieldState.error.message}
        </p>
      )}
    </fieldset>
  )
}
