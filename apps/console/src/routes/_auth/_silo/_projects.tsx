import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/_auth/_silo/_projects')({
  component: RouteComponent,
})

function RouteComponent() {
  return <div>Hello "/_auth/_silo/_projects"!</div>
}
