import { lazily } from '#/lib/lazily.tsx'
import { CreateMissing } from '#/resource/form/Missing.tsx'
import { useRole } from '#/resource/role/useRole.ts'
import { Notice } from '#/ui/feedback/Notice.tsx'

const ImportForm = lazily(() => import('./ImportForm.tsx'), 'ImportForm')

/** Opens the form that imports an image above the form that needs one; says to others whom to ask. */
export function ImportImage({ project }: { project: string }) {
  const lacks = useRole(project).lacks('collaborator')
  return (
    <CreateMissing
      noun="image"
      verb="Import"
      lacks={lacks}
      form={(close) => <ImportForm animate project={project} submitDisabledReason={lacks} onClose={close} />}
    />
  )
}

/** Says that a project and its silo have no image to choose. */
export const MissingImage = ({ project }: { project: string }) => (
  <Notice>
    <p>There are no images in this project or silo yet.</p>
    <ImportImage project={project} />
  </Notice>
)
