import { createFileRoute } from '@tanstack/react-router'
import { ConsolePage } from './ConsolePage.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/instances/$instance/serial-console')({
  staticData: { crumb: { label: 'Serial Console' }, locked: true },
  component: SerialConsole,
})

function SerialConsole() {
  const target = Route.useParams()
  // Another instance is another console: nothing of this one may reach it.
  return <ConsolePage key={`${target.project}/${target.instance}`} target={target} />
}
