import { createFileRoute } from '@tanstack/react-router'
import { sections } from '#/lib/addresses.ts'

// The list, an instance and its console share this crumb, which leads to the list.
export const Route = createFileRoute('/_auth/projects/$project/_in/instances')({
  staticData: {
    crumb: { label: 'Instances', to: (params) => sections.instance.list(params['project'] ?? '') },
  },
})
