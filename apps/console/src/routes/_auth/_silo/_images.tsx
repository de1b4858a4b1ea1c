import { imageList } from '@purlin/contract/operations/images'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { prefetch } from '../../../api.ts'
import { useSiloRole } from '../../../parts/access/useProjectRole.ts'
import { ImageList } from '../../../parts/image/ImageList.tsx'
import type { Image } from '../../../parts/image/images.tsx'
import { listPage } from '../../../parts/listPage.ts'
import { pagingSearch } from '../../../parts/paging.ts'
import { useQuickActions } from '../../../parts/quickActions.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/Button.tsx'
import { DemoteDialog, PromoteFromProject } from './_images/-moveDialogs.tsx'

export const Route = createFileRoute('/_auth/_silo/_images')({
  validateSearch: pagingSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => prefetch(listPage(imageList, {}, deps)),
  staticData: { crumb: { label: 'Images', to: () => paths.siloImages } },
  component: SiloImages,
})

function SiloImages() {
  const [moving, setMoving] = useState<'promote' | Image>()
  const refused = useSiloRole().lacks('collaborator')
  const promote = () => setMoving('promote')
  const close = () => setMoving(undefined)
  useQuickActions(refused ? [] : [{ label: 'Promote image', group: 'Actions', onAction: promote }])
  return (
    <>
      <ImageList
        title="Silo Images"
        summary="Images of the silo can be used in all its projects. A project's image gets here by promoting it; demoting gives it back to one project."
        button={
          <Button variant="primary" disabledReason={refused} onClick={promote}>
            Promote image
          </Button>
        }
        emptyBody="Promote an image to see it here"
        hrefOf={({ name }) => paths.siloImage(name)}
        refused={refused}
        actions={(image) => [{ label: 'Demote', disabledReason: refused, onAction: () => setMoving(image) }]}
      />
      {moving === 'promote' && <PromoteFromProject onDismiss={close} />}
      {moving && moving !== 'promote' && <DemoteDialog image={moving} onDismiss={close} />}
    </>
  )
}
