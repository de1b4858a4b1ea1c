import { createFileRoute } from '@tanstack/react-router'
import { fresh, loadRowToEdit, rowRoute } from '#/resource/address/routeOptions.tsx'
import { EditForm } from '#/resource/form/EditForm.tsx'
import { kinds } from '#/resource/kinds.ts'
import { ActivityInPanel } from '#/features/audit-log/lazyActivity.ts'
import { taggedValues } from '#/resource/form/tags.ts'
import { TagsControl } from '#/resource/form/TagsControl.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { viewQuery } from '#/resource/kind.ts'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { ScheduleFields } from './ScheduleFields.tsx'
import { bodyOf, valuesOf } from './schedule.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/_schedules/schedules/$schedule/edit')({
  ...rowRoute(kinds.schedule, { label: 'Edit schedule' }),
  ...fresh,
  loader: (match) => loadRowToEdit(kinds.schedule, match),
  component: EditSchedule,
})

function EditSchedule() {
  const { project, schedule } = Route.useParams()
  const { id } = useLoaded(viewQuery(kinds.schedule, schedule, { project }))
  return (
    <EditForm
      kind={kinds.schedule}
      values={(row) => ({ ...valuesOf(row), ...taggedValues(row) })}
      toBody={bodyOf}
      properties={({ timeNextRun, timeLastRun, lastError }) => [
        { label: 'Next run', value: timeNextRun ? <DateTime date={timeNextRun} /> : 'Paused' },
        { label: 'Last run', value: timeLastRun ? <DateTime date={timeLastRun} /> : <Dash /> },
        ...(lastError ? [{ label: 'Last failure', value: lastError }] : []),
      ]}
    >
      {({ control }) => (
        <>
          <ScheduleFields control={control} project={project} />
          <TagsControl control={control} />
          <ActivityInPanel resource={`schedule:${id}`} />
        </>
      )}
    </EditForm>
  )
}
