import { imageList } from '@purlin/contract/operations/images'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { prefetch } from '../../../../api.ts'
import { GuardedLink } from '../../../../parts/access/GuardedLink.tsx'
import { useProjectRole, useSiloRole } from '../../../../parts/access/useProjectRole.ts'
import { ImageList } from '../../../../parts/image/ImageList.tsx'
import type { Image } from '../../../../parts/image/images.tsx'
import { PromoteDialog } from '../../../../parts/image/PromoteDialog.tsx'
import { listPage } from '../../../../parts/listPage.ts'
import { pagingSearch } from '../../../../parts/paging.ts'
import { useQuickActions } from '../../../../parts/quickActions.ts'
import { paths } from '../../../../paths.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/_images')({
  validateSearch: pagingSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ params: { project }, deps }) => prefetch(listPage(imageList, { project }, deps)),
  staticData: { crumb: { label: 'Images', to: (params) => paths.projectImages(params['project'] ?? '') } },
  component: ProjectImages,
})

function ProjectImages() {
  const { project } = Route.useParams()
  const [promoting, setPromoting] = useState<Image>()
  const refused = useProjectRole(project).lacks('collaborator')
  const notInSilo = useSiloRole().lacks('collaborator')
  const upload = paths.projectImageNew(project)
  useQuickActions(refused ? [] : [{ label: 'Upload image', group: 'Actions', href: upload }])
  return (
    <>
      <ImageList
        project={project}
        title="Project Images"
        summary="An image is what new disks start from: an operating system, ready to boot. These can be used in this project; promote one to share it with the whole silo."
        button={
          <GuardedLink href={upload} refused={refused}>
            Upload image
          </GuardedLink>
        }
        emptyBody="Upload an image, or make one from a snapshot, to see it here"
        hrefOf={({ name }) => paths.projectImage({ project, image: name })}
        refused={refused}
        actions={(image) => [
          { label: 'Promote', disabledReason: refused ?? notInSilo, onAction: () => setPromoting(image) },
        ]}
      />
      {promoting && <PromoteDialog image={promoting} onDismiss={() => setPromoting(undefined)} />}
    </>
  )
}
