import { createFileRoute, Outlet } from '@tanstack/react-router'
import { paths } from '../../../../paths.ts'

// The list, an instance and its console share this crumb, which leads to the list.
export const Route = createFileRoute('/_auth/projects/$project/_in/instances')({
  staticData: { crumb: { label: 'Instances', to: (params) => paths.instances(params['project'] ?? '') } },
  component: Outlet,
})
