import { createFileRoute, Outlet } from '@tanstack/react-router'
import { paths } from '../../../../paths.ts'

// The list and the page of a group share this crumb, which leads to the list.
export const Route = createFileRoute('/_auth/projects/$project/_in/_affinity')({
  staticData: {
    crumb: { label: 'Affinity Groups', to: (params) => paths.affinity(params['project'] ?? '') },
  },
  component: Outlet,
})
