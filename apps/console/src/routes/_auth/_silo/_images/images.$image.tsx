import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { load } from '../../../../api.ts'
import { ImagePanel, imageQuery } from '../../../../parts/image/ImagePanel.tsx'
import { PanelError } from '../../../../parts/PanelError.tsx'
import { paths } from '../../../../paths.ts'

export const Route = createFileRoute('/_auth/_silo/_images/images/$image')({
  loader: ({ params }) => load(imageQuery(params)),
  staticData: { crumb: { label: (params) => params['image'] ?? '', titleOnly: true } },
  component: SiloImage,
  errorComponent: Failed,
})

function Failed({ error }: { error: unknown }) {
  return <PanelError error={error} href={paths.siloImages} />
}

function SiloImage() {
  const params = Route.useParams()
  const navigate = useNavigate()
  return <ImagePanel read={imageQuery(params)} onDismiss={() => void navigate({ href: paths.siloImages })} />
}
