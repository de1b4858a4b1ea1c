import { diskView } from '@purlin/contract/operations/storage/disks'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { load, query } from '#/api/query.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { isImporting } from '#/features/disks/imports/imports.ts'
import { sections } from '#/lib/addresses.ts'
import { UploadForm } from './upload/UploadForm.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_images/images-new')({
  validateSearch: ({ resume }: Record<string, unknown>): { resume?: string } =>
    typeof resume === 'string' ? { resume } : {},
  loaderDeps: ({ search: { resume } }) => ({ resume }),
  loader: async ({ params: { project }, deps: { resume } }) => {
    if (resume === undefined) return undefined
    const disk = await load(query(diskView, { params: { disk: resume }, query: { project } })).catch(
      () => undefined,
    )
    return disk && isImporting(disk) ? disk : undefined
  },
  staticData: { crumb: { label: 'Upload image', titleOnly: true } },
  component: UploadImage,
})

function UploadImage() {
  const { project } = Route.useParams()
  const resume = Route.useLoaderData()
  const navigate = useNavigate()
  const close = () => void navigate({ href: sections.image.list(project), ignoreBlocker: true })
  return (
    <UploadForm
      key={resume?.id}
      project={project}
      resume={resume}
      submitDisabledReason={useRole(project).lacks('collaborator')}
      onDone={close}
      onDismiss={close}
    />
  )
}
