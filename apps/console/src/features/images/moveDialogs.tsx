/** The dialogs that move images between the silo and its projects. */
import { useForm, useWatch, type Control, type FieldValues } from 'react-hook-form'
import { formatSize } from '#/lib/format.ts'
import type { Image } from './images.tsx'
import {
  demote,
  demoteRequest,
  promote,
  promotedToast,
  PromoteNotice,
  promoteRequest,
  reloadImages,
} from './PromoteDialog.tsx'
import type { Chosen } from '#/resource/actions/actions.tsx'
import { TaskForm } from '#/resource/actions/TaskForm.tsx'
import { kinds } from '#/resource/kinds.ts'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { usePicker } from '#/resource/form/usePicker.ts'
import { undoableToast } from '#/resource/actions/undo.tsx'
import { sections } from '#/lib/addresses.ts'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { formPart } from '#/ui/form/formPart.ts'

interface DialogProps {
  onDismiss: () => void
}

/** Chooses an image of a project and gives it to the silo. */
export function PromoteFromProject({ onDismiss }: DialogProps) {
  const form = useForm({ defaultValues: { project: '', image: '' } })
  const [project, image] = useWatch({ control: form.control, name: ['project', 'image'] })
  const images = usePicker(kinds.image, {
    scope: { project },
    value: image,
    by: 'id',
    choice: ({ os, version, size }) => ({ description: `${os} / ${version} / ${formatSize(size)}` }),
    enabled: project !== '',
  })
  const run = async (chosen: { project: string; image: string }) => {
    addToast(promotedToast(await promote(chosen.image), chosen.project))
    onDismiss()
  }
  return (
    <ModalForm
      title="Promote image"
      submitLabel="Promote"
      form={form}
      onSubmit={run}
      request={(chosen) => promoteRequest(chosen.image)}
      onDismiss={onDismiss}
    >
      <ProjectControl
        control={form.control}
        placeholder="Select a project"
        onValue={() => form.resetField('image')}
      />
      <ComboboxControl
        name="image"
        control={form.control}
        required
        placeholder="Select an image"
        disabledReason={project === '' ? 'Select a project first' : undefined}
        hint={images.problem ?? (images.isEmpty ? 'The project has no images.' : undefined)}
        {...images.field}
      />
      <PromoteNotice />
    </ModalForm>
  )
}

/** Gives an image of the silo to one project. */
export function DemoteDialog({ image, onDismiss }: DialogProps & { image: Image }) {
  const form = useForm({ defaultValues: { project: '' } })
  const run = async ({ project }: { project: string }) => {
    await demote(image.id, project)
    const toast = { noun: 'Image', name: image.name, done: 'demoted', undone: 'promoted again' }
    addToast({
      ...undoableToast(toast, () => promote(image.id)),
      cta: { href: sections.image.list(project), text: `View images in ${project}` },
    })
    onDismiss()
  }
  return (
    <ModalForm
      title="Demote image"
      submitLabel="Demote"
      form={form}
      onSubmit={run}
      request={({ project }) => demoteRequest(image.id, project)}
      onDismiss={onDismiss}
    >
      <p>
        Demoting: <Highlight>{image.name}</Highlight>
      </p>
      <Notice>Only the selected project will see the image. Disks created from it are not affected.</Notice>
      <ProjectControl control={form.control} placeholder="Select project for image" />
    </ModalForm>
  )
}

/** Gives several images of the silo to one project. */
export function DemoteManyDialog({ chosen }: { chosen: Chosen }) {
  const form = useForm({ defaultValues: { project: '' } })
  const project = useWatch({ control: form.control, name: 'project' })
  return (
    <TaskForm
      title="Demote images"
      submitLabel="Demote"
      task={{ kind: 'image', action: 'demote' }}
      chosen={chosen}
      texts={{ noun: kinds.image.noun, done: 'demoted', after: reloadImages }}
      inverse={{ undone: 'promoted again', run: promote }}
      form={form}
      parameters={project === '' ? { missing: 'Select a project' } : { project }}
    >
      <Notice>
        Only the selected project will see the images. Disks created from them are not affected.
      </Notice>
      <ProjectControl control={form.control} placeholder="Select project for images" by="id" />
    </TaskForm>
  )
}

const withProject = formPart<{ project: string }>()

function ProjectControl<V extends FieldValues & { project: string }>({
  control: form,
  placeholder,
  by = 'name',
  onValue,
}: {
  control: Control<V>
  placeholder: string
  by?: 'name' | 'id'
  onValue?: () => void
}) {
  const control = withProject(form)
  const projects = usePicker(kinds.project, {
    scope: {},
    value: useWatch({ control, name: 'project' }),
    by,
    choice: ({ description }) => ({ description }),
  })
  return (
    <ComboboxControl
      name="project"
      control={control}
      required
      placeholder={placeholder}
      {...(onValue ? { onValue } : {})}
      hint={projects.problem}
      {...projects.field}
    />
  )
}
