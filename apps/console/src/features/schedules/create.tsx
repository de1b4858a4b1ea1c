import { createFileRoute } from '@tanstack/react-router'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { CreateForm } from '#/resource/form/CreateForm.tsx'
import { kinds } from '#/resource/kinds.ts'
import { ScheduleFields } from './ScheduleFields.tsx'
import { bodyOf, emptyValues } from './schedule.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/_schedules/schedules-new')({
  ...formRoute('New schedule'),
  component: CreateSchedule,
})

function CreateSchedule() {
  const { project } = Route.useParams()
  return (
    <CreateForm kind={kinds.schedule} values={emptyValues()} toBody={bodyOf}>
      {({ control }) => <ScheduleFields control={control} project={project} />}
    </CreateForm>
  )
}
