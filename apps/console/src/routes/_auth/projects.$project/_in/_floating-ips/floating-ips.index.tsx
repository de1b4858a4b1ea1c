import { createFileRoute } from '@tanstack/react-router'

// The list itself is the layout around this and the forms.
export const Route = createFileRoute('/_auth/projects/$project/_in/_floating-ips/floating-ips/')({
  component: () => null,
})
