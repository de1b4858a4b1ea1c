import { createFileRoute } from '@tanstack/react-router'

// The list itself is the layout around this and the form.
export const Route = createFileRoute('/_auth/projects/$project/_in/_affinity/_list/affinity/')({
  component: () => null,
})
