import {
  diskSnapshotScheduleUpdate,
  diskSnapshotScheduleView,
} from '@purlin/contract/operations/storage/snapshot-schedules'
import { limits } from '@purlin/contract/rules/limits'
import { useForm, useWatch, type Control } from 'react-hook-form'
import { invalidate } from '#/api/query.ts'
import { serverNow } from '#/lib/clock.ts'
import { formatSize } from '#/lib/format.ts'
import { localTimeProblem } from '#/lib/input/localTime.ts'
import { capitalize } from '#/lib/text.ts'
import { useGuardedUpdate } from '#/resource/form/guardedUpdate.tsx'
import { TimeZoneControl } from '#/resource/form/time/TimeZoneControl.tsx'
import { LoadToEdit, type Fresh } from '#/resource/form/fresh/LoadToEdit.tsx'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { CheckboxControl } from '#/ui/form/CheckboxControl.tsx'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'
import { NumberControl } from '#/ui/form/NumberControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import {
  argsOf,
  bodyOf,
  mostIn,
  scheduleQuery,
  units,
  valuesOf,
  type OfDisk,
  type Values,
} from './schedule.ts'

export interface ScheduleFormProps {
  disk: { id: string; name: string; size: number }
  onDismiss: () => void
}

/** The form of the snapshot schedule of a disk, in a dialog. */
export const ScheduleForm = (props: ScheduleFormProps) => (
  <LoadToEdit title="Snapshot schedule" read={scheduleQuery(props.disk.id)} onDismiss={props.onDismiss}>
    {(row) => <Form {...props} row={row} />}
  </LoadToEdit>
)

function Form({ disk, row, onDismiss }: ScheduleFormProps & { row: Fresh<OfDisk> }) {
  const seen = valuesOf(row)
  const form = useForm<Values>({ defaultValues: seen })
  const target = {
    view: diskSnapshotScheduleView,
    update: diskSnapshotScheduleUpdate,
    args: argsOf(disk.id),
  }
  const { save, request, notice } = useGuardedUpdate(target, { form, row, valuesOf })
  const bodyIn = (filled: Values) => bodyOf(filled, seen, serverNow())
  const saveAll = async (filled: Values) => {
    await save(bodyIn(filled))
    await invalidate(diskSnapshotScheduleView)
    addToast({ content: `Snapshot schedule of ${disk.name} ${row.schedule ? 'changed' : 'set'}` })
    onDismiss()
  }
  const isNew = !row.schedule
  return (
    <ModalForm
      title={isNew ? 'Set snapshot schedule' : 'Change snapshot schedule'}
      submitLabel={isNew ? 'Set schedule' : 'Change schedule'}
      form={form}
      onSubmit={saveAll}
      request={(filled) => request(bodyIn(filled))}
      draft={{ form: 'snapshotSchedule', place: disk.id, isChange: true }}
      onDismiss={onDismiss}
    >
      {notice}
      <Interval control={form.control} />
      <TextControl
        name="firstRun"
        label="First run"
        type="datetime-local"
        control={form.control}
        validate={localTimeProblem}
        hint="In the time zone below. Leave blank to make a snapshot now. Later ones follow at the interval."
      />
      <TimeZoneControl
        name="timeZone"
        label="Time zone"
        required
        control={form.control}
        hint="Runs keep their time of day when clocks change. Every hour is an hour that passes."
      />
      <Kept control={form.control} size={disk.size} />
      <CheckboxControl name="paused" label="Pause the schedule" control={form.control} />
      <p className="text-hint text-secondary">
        The snapshots are made in your name. Your role on the project is checked each time.
      </p>
    </ModalForm>
  )
}

const unitItems = units.map((unit) => ({ value: unit, label: capitalize(unit) }))

function Interval({ control }: { control: Control<Values> }) {
  const unit = useWatch({ control, name: 'unit' })
  return (
    <div className="grid grid-cols-2 gap-3">
      <NumberControl
        name="every"
        label="Every"
        required
        integer
        min={1}
        max={mostIn(unit)}
        control={control}
      />
      <ListboxControl name="unit" label="Unit" required items={unitItems} control={control} />
    </div>
  )
}

function Kept({ control, size }: { control: Control<Values>; size: number }) {
  const keep = useWatch({ control, name: 'keep' })
  const use = Number.isNaN(keep)
    ? ''
    : ` They use up to ${formatSize((keep + 1) * size)} of the storage quota.`
  return (
    <NumberControl
      name="keep"
      label="Snapshots to keep"
      required
      integer
      min={1}
      max={limits.snapshotSchedule.keep}
      control={control}
      hint={`Older snapshots of the schedule are deleted once a new one is made, others never.${use}`}
    />
  )
}
