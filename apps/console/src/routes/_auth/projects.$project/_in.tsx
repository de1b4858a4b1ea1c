import { createFileRoute, Outlet } from '@tanstack/react-router'
import { paths } from '../../../paths.ts'

// A second crumb of the same place: the project itself, which leads straight to its first tab.
export const Route = createFileRoute('/_auth/projects/$project/_in')({
  staticData: {
    crumb: {
      label: (params) => params['project'] ?? '',
      to: (params) => paths.instances(params['project'] ?? ''),
    },
  },
  component: Outlet,
})
