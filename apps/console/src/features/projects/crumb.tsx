import { createFileRoute } from '@tanstack/react-router'
import { sections } from '#/lib/addresses.ts'

// The second crumb: the project itself, which leads to its instances.
export const Route = createFileRoute('/_auth/projects/$project/_in')({
  staticData: {
    crumb: {
      label: (params) => params['project'] ?? '',
      to: (params) => sections.instance.list(params['project'] ?? ''),
    },
  },
})
