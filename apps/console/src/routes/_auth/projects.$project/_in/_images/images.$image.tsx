import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { load } from '../../../../../api.ts'
import { ImagePanel, imageQuery } from '../../../../../parts/image/ImagePanel.tsx'
import { PanelError } from '../../../../../parts/PanelError.tsx'
import { paths } from '../../../../../paths.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/_images/images/$image')({
  loader: ({ params }) => load(imageQuery(params)),
  staticData: { crumb: { label: (params) => params['image'] ?? '', titleOnly: true } },
  component: ProjectImage,
  errorComponent: Failed,
})

function Failed({ error }: { error: unknown }) {
  return <PanelError error={error} href={paths.projectImages(Route.useParams().project)} />
}

function ProjectImage() {
  const params = Route.useParams()
  const navigate = useNavigate()
  const close = () => void navigate({ href: paths.projectImages(params.project) })
  return <ImagePanel read={imageQuery(params)} onDismiss={close} />
}
