import { createFileRoute } from '@tanstack/react-router'

// The list itself is the layout around this and the panels.
export const Route = createFileRoute('/_auth/projects/$project/_in/_images/images/')({
  component: () => null,
})
