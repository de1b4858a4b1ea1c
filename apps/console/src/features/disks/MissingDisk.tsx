import { createRequest, createResource } from '#/resource/form/CreateForm.tsx'
import { Missing } from '#/resource/form/Missing.tsx'
import { kinds } from '#/resource/kinds.ts'
import { useRole } from '#/resource/role/useRole.ts'
import type { DiskBody } from './body.ts'
import { DiskForm } from './DiskForm.tsx'

/** Says that a project has no disk to take a snapshot of. `onMade` gets the name of the one that is then created. */
export function MissingDisk({ project, onMade }: { project: string; onMade: (name: string) => void }) {
  const scope = { project }
  const create = async (body: DiskBody) => {
    await createResource(kinds.disk, { scope, body })
    onMade(body.name)
  }
  return (
    <Missing
      noun="disk"
      lacks={useRole(project).lacks('collaborator')}
      form={(close) => (
        <DiskForm
          animate
          project={project}
          onSubmit={(body) => create(body).then(close)}
          request={(body) => createRequest(kinds.disk, { scope, body })}
          onDismiss={close}
        />
      )}
    >
      The project has no disk that a snapshot can be taken of.
    </Missing>
  )
}
