import { createFileRoute } from '@tanstack/react-router'
import { loadOrKeep } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'
import { instanceQuery } from './queries.ts'

// Both the page with its tabs and the serial console are about this instance.
export const Route = createFileRoute('/_auth/projects/$project/_in/instances/$instance')({
  loader: ({ params, cause }) => loadOrKeep(cause, instanceQuery(params)),
  staticData: {
    crumb: {
      label: (params) => params['instance'] ?? '',
      to: (params) =>
        paths.instance({ project: params['project'] ?? '', instance: params['instance'] ?? '' }),
    },
  },
})
