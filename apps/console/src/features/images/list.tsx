import { createFileRoute } from '@tanstack/react-router'
import { kinds } from '#/resource/kinds.ts'
import { loadList, ResourceList } from '#/resource/list/ResourceList.tsx'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { paths } from '#/lib/addresses.ts'
import { projectImageActions } from './actions.tsx'
import { Imports } from './import/Imports.tsx'
import { listOfImages } from './images.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_images')({
  ...listRoute(kinds.image),
  loader: (match) => loadList(images, match),
  component: ProjectImages,
})

function ProjectImages() {
  const { project } = Route.useParams()
  const also = { label: 'Import image', href: paths.imageImport(project) }
  return <ResourceList list={{ ...images, also }} />
}

const images = listOfImages({
  title: 'Project Images',
  summary:
    'An image is a template for new disks, such as a bootable operating system. These images can be used in this project. Promote an image to share it with the whole silo.',
  create: {
    label: 'Upload image',
    paletteLabel: 'Upload image',
  },
  above: (project) => <Imports project={project} />,
  emptyBody:
    'New instances boot from images. Import one from an address, upload a file, or create one from a snapshot.',
  actions: projectImageActions,
})
