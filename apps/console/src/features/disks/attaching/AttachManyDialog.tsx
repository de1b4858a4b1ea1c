import { useForm } from 'react-hook-form'
import type { Chosen } from '#/resource/actions/actions.tsx'
import { TaskForm } from '#/resource/actions/TaskForm.tsx'
import { kinds } from '#/resource/kinds.ts'
import { detach, reloadDisks } from '../attachment.ts'
import { useInstanceField } from './useInstanceField.tsx'

/** Chooses the instance that many disks are attached to. */
export function AttachManyDialog({ project, chosen: disks }: { project: string; chosen: Chosen }) {
  const form = useForm({ defaultValues: { instance: '' } })
  const { field, full, chosen } = useInstanceField(project, form)
  return (
    <TaskForm
      title="Attach disks"
      submitLabel="Attach"
      task={{ kind: 'disk', action: 'attach' }}
      chosen={disks}
      texts={{ noun: kinds.disk.noun, done: 'attached', after: reloadDisks }}
      inverse={chosen && { undone: 'detached again', run: (disk) => detach(chosen, disk) }}
      form={form}
      parameters={
        chosen && full === undefined ? { instance: chosen.id } : { missing: full ?? 'Select an instance' }
      }
    >
      <p>The instance will have them as additional disks, in the order of their names.</p>
      {field}
    </TaskForm>
  )
}
