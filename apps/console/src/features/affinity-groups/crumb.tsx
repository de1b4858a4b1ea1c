import { createFileRoute } from '@tanstack/react-router'
import { sections } from '#/lib/addresses.ts'

// The list and the page of a group share this crumb, which leads to the list.
export const Route = createFileRoute('/_auth/projects/$project/_in/_affinity-groups')({
  staticData: {
    crumb: { label: 'Affinity Groups', to: (params) => sections.antiAffinityGroup.list(params['project']) },
  },
})
