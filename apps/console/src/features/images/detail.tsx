import { createFileRoute } from '@tanstack/react-router'
import { load } from '#/api/query.ts'
import { ImagePanel } from './ImagePanel.tsx'
import { imageQuery } from './images.tsx'
import { kinds } from '#/resource/kinds.ts'
import { rowRoute } from '#/resource/address/routeOptions.tsx'
import { sections } from '#/lib/addresses.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/_images/images/$image')({
  ...rowRoute(kinds.image),
  loader: ({ params: { image, project } }) => load(imageQuery(image, { project })),
  component: ProjectImage,
})

function ProjectImage() {
  const { image, project } = Route.useParams()
  return <ImagePanel name={image} project={project} closeTo={sections.image.list(project)} />
}
