import { useNavigate } from '@tanstack/react-router'
import { sections } from '#/lib/addresses.ts'
import { createRequest, createResource } from '#/resource/form/CreateForm.tsx'
import { kinds } from '#/resource/kinds.ts'
import { useRole } from '#/resource/role/useRole.ts'
import type { DiskBody } from './body.ts'
import { DiskForm, type DiskFormProps } from './DiskForm.tsx'

/** The form of a new disk over the list. */
export function NewDisk({ project, filled }: Pick<DiskFormProps, 'project' | 'filled'>) {
  const navigate = useNavigate()
  const { lacks } = useRole(project)
  const close = () => navigate({ href: sections.disk.list(project), ignoreBlocker: true })
  const scope = { project }
  const create = async (body: DiskBody) => {
    await createResource(kinds.disk, { scope, body })
    await close()
  }
  return (
    <DiskForm
      project={project}
      filled={filled}
      onSubmit={create}
      request={(body) => createRequest(kinds.disk, { scope, body })}
      onDismiss={() => void close()}
      submitDisabledReason={lacks('collaborator')}
    />
  )
}
