import { createFileRoute } from '@tanstack/react-router'
import { ScreenPage } from './ScreenPage.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/instances/$instance/screen')({
  staticData: { crumb: { label: 'Screen' }, locked: true },
  component: ScreenOfInstance,
})

function ScreenOfInstance() {
  const target = Route.useParams()
  // Another instance is another screen: nothing that is typed here may reach it.
  return <ScreenPage key={`${target.project}/${target.instance}`} target={target} />
}
