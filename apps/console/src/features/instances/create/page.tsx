import { createFileRoute } from '@tanstack/react-router'
import { loadOffers } from './values/data.ts'
import { NewInstance } from './NewInstance.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/instances-new')({
  loader: ({ params }) => loadOffers(params.project),
  staticData: { crumb: { label: 'New instance' } },
  component: CreateInstance,
})

function CreateInstance() {
  const { project } = Route.useParams()
  return <NewInstance project={project} />
}
