import { diskCreate, diskList, diskView } from '@purlin/contract/operations/disks'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { invalidate, remember } from '../../../../../api.ts'
import { useProjectRole } from '../../../../../parts/access/useProjectRole.ts'
import type { DiskBody } from '../../../../../parts/disk/diskBody.ts'
import { DiskForm } from '../../../../../parts/disk/DiskForm.tsx'
import { tellDone } from '../../../../../parts/toasts.tsx'
import { paths } from '../../../../../paths.ts'
import { send } from '../../../../../send.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/_disks/disks-new')({
  staticData: { crumb: { label: 'New disk', titleOnly: true } },
  component: CreateDisk,
})

function CreateDisk() {
  const { project } = Route.useParams()
  const navigate = useNavigate()
  const { lacks } = useProjectRole(project)
  const close = () => navigate({ href: paths.disks(project), ignoreBlocker: true })
  const create = async (body: DiskBody) => {
    const disk = await send(diskCreate, { query: { project }, body })
    remember(diskView, { params: { disk: disk.name }, query: { project } }, disk)
    void invalidate(diskList)
    tellDone('Disk', disk.name, 'created')
    await close()
  }
  return (
    <DiskForm
      project={project}
      onSubmit={create}
      onDismiss={() => void close()}
      submitDisabledReason={lacks('collaborator')}
    />
  )
}
