import { createFileRoute } from '@tanstack/react-router'
import { load } from '#/api/query.ts'
import { ImagePanel } from './ImagePanel.tsx'
import { imageQuery } from './images.tsx'
import { kinds } from '#/resource/kinds.ts'
import { rowRoute } from '#/resource/address/routeOptions.tsx'
import { sections } from '#/lib/addresses.ts'

export const Route = createFileRoute('/_auth/_silo/_images/images/$image')({
  ...rowRoute(kinds.image, { section: sections.siloImage }),
  loader: ({ params }) => load(imageQuery(params.image)),
  component: SiloImage,
})

function SiloImage() {
  const { image } = Route.useParams()
  return <ImagePanel name={image} closeTo={sections.siloImage.list()} />
}
