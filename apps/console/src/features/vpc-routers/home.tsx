import { createFileRoute } from '@tanstack/react-router'

// The list of routes around it is all that the page shows.
export const Route = createFileRoute(
  '/_auth/projects/$project/_in/_vpc-pages/vpcs/$vpc/_router-pages/routers/$router/_routes/',
)({ component: () => null })
