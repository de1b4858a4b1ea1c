import { limits } from '@purlin/contract/rules/limits'
import { useController, useWatch, type Control } from 'react-hook-form'
import { capitalize } from '#/lib/text.ts'
import { TimeZoneControl } from '#/resource/form/time/TimeZoneControl.tsx'
import { usePicker } from '#/resource/form/usePicker.ts'
import { kinds } from '#/resource/kinds.ts'
import { CheckboxField } from '#/ui/field/CheckboxField.tsx'
import { MiniTable } from '#/ui/field/MiniTable.tsx'
import { CheckboxControl } from '#/ui/form/CheckboxControl.tsx'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'
import { NumberControl } from '#/ui/form/NumberControl.tsx'
import { RadioGroupControl } from '#/ui/form/RadioGroupControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { days, tagProblem, timeProblem, type Values } from './schedule.ts'

const intervals = [
  { value: 'daily', label: 'Every day' },
  { value: 'weekly', label: 'On days of the week' },
  { value: 'monthly', label: 'Once a month' },
  { value: 'hours', label: 'Every few hours' },
]

/** The fields of a schedule, after name and description. */
export function ScheduleFields({ control, project }: { control: Control<Values>; project: string }) {
  const target = useWatch({ control, name: 'target' })
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
        ]}
      />
      <RadioGroupControl
        name="target"
        control={control}
        label="Instances"
        required
        options={[
          { value: 'tag', label: 'With a tag', description: 'Those that have it at the time of each run' },
          { value: 'instances', label: 'Named', description: `At most ${limits.schedule.instances}` },
        ]}
        validate={(value, { instances }) =>
          value === 'instances' && instances.length === 0 ? 'Choose an instance, or name a tag' : undefined
        }
      />
      {target === 'tag' ? (
        <TextControl
          name="tag"
          control={control}
          required
          mono
          hint="A key such as env, or a key with a value such as env=test."
          validate={tagProblem}
        />
      ) : (
        <Instances control={control} project={project} />
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
      <CheckboxControl name="paused" label="Pause the schedule" control={control} />
      <p className="text-hint text-secondary">
        It runs in your name. Your role on the project is checked each time.
      </p>
    </>
  )
}

function Instances({ control, project }: { control: Control<Values>; project: string }) {
  const { field } = useController({ control, name: 'instances' })
  const { field: box } = useController({ control, name: 'instance' })
  const picker = usePicker(kinds.instance, {
    scope: { project },
    value: '',
    by: 'name',
    except: field.value,
  })
  const add = (name: string) => {
    field.onChange([...field.value, name])
    box.onChange('')
  }
  return (
    <>
      <ComboboxControl
        name="instance"
        control={control}
        label="Add instance"
        placeholder="Search instances"
        mono
        {...picker.field}
        onPick={add}
      />
      <MiniTable
        label="Instances"
        columns={[{ header: 'Name', cell: (name: string) => <span className="mono">{name}</span> }]}
        rows={field.value}
        rowKey={(name) => name}
        onRemove={(name) => field.onChange(field.value.filter((one) => one !== name))}
        removeLabel={(name) => `Remove ${name}`}
      />
    </>
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
        <NumberControl
          name="hours"
          label="Hours between runs"
          control={control}
          required
          integer
          min={1}
          max={limits.schedule.hours}
        />
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
