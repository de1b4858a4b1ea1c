import { createFileRoute } from '@tanstack/react-router'
import { loadOrKeep } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'

// The page with the tabs and the page of a router are about this VPC.
export const Route = createFileRoute('/_auth/projects/$project/_in/_vpc-pages/vpcs/$vpc')({
  loader: ({ params, cause }) =>
    loadOrKeep(cause, viewQuery(kinds.vpc, params.vpc, { project: params.project })),
  staticData: {
    crumb: {
      label: (params) => params['vpc'] ?? '',
      to: (params) =>
        paths.vpcTab({ project: params['project'] ?? '', vpc: params['vpc'] ?? '' }, 'firewall-rules'),
    },
  },
})
