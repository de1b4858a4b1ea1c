import { createFileRoute, Outlet } from '@tanstack/react-router'
import { queryClient } from '../../../../api.ts'
import { paths } from '../../../../paths.ts'
import { instanceQuery } from './-instances/queries.ts'

// Both the page with its tabs and the serial console are about this instance.
export const Route = createFileRoute('/_auth/projects/$project/_in/instances/$instance')({
  loader: ({ params }) => queryClient.ensureQueryData({ ...instanceQuery(params), revalidateIfStale: true }),
  staticData: {
    crumb: {
      label: (params) => params['instance'] ?? '',
      to: (params) => paths.instance({ project: params['project'] ?? '', instance: params['instance'] ?? '' }),
    },
  },
  component: Outlet,
})
