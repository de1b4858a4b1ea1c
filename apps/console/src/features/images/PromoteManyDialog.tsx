import { useForm } from 'react-hook-form'
import type { Chosen } from '#/resource/actions/actions.tsx'
import { TaskForm } from '#/resource/actions/TaskForm.tsx'
import { kinds } from '#/resource/kinds.ts'
import { demote, PromoteNotice, reloadImages } from './PromoteDialog.tsx'

/** Asks before several images of a project are given to the silo. */
export function PromoteManyDialog({ project, chosen }: { project: string; chosen: Chosen }) {
  const form = useForm()
  return (
    <TaskForm
      title="Promote images"
      submitLabel="Promote"
      task={{ kind: 'image', action: 'promote' }}
      chosen={chosen}
      texts={{ noun: kinds.image.noun, done: 'promoted', after: reloadImages }}
      inverse={{ undone: 'demoted to their project again', run: (id) => demote(id, project) }}
      form={form}
      parameters={{}}
    >
      <PromoteNotice />
    </TaskForm>
  )
}
