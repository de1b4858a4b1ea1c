import { createFileRoute } from '@tanstack/react-router'
import { sections } from '#/lib/addresses.ts'
import { kinds } from '#/resource/kinds.ts'
import { loadList, ResourceList } from '#/resource/list/ResourceList.tsx'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { siloImageActions } from './actions.tsx'
import { listOfImages } from './images.tsx'
import { PromoteFromProject } from './moveDialogs.tsx'

export const Route = createFileRoute('/_auth/_silo/_images')({
  ...listRoute({ ...kinds.image, section: sections.siloImage }),
  loader: (match) => loadList(images, match),
  component: () => <ResourceList list={images} />,
})

const images = listOfImages({
  title: 'Silo Images',
  isOfSilo: true,
  summary:
    'Silo images can be used in all projects of the silo. Promote an image of a project to share it here; demote it to move it back to a project.',
  create: {
    label: 'Promote image',
    paletteLabel: 'Promote image',
    dialog: (close) => <PromoteFromProject onDismiss={close} />,
  },
  emptyBody: 'All projects of the silo can use its images. Promote an image of a project to share it.',
  actions: siloImageActions,
})
