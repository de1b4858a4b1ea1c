import { createFileRoute } from '@tanstack/react-router'

// The table itself is the layout around this and the forms.
export const Route = createFileRoute('/_auth/projects/$project/_in/_access/access/')({
  component: () => null,
})
