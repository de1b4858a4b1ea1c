import { createFileRoute } from '@tanstack/react-router'
import { sections } from '#/lib/addresses.ts'

// The page of a router is not a tab of its VPC, but its crumb leads to the tab.
export const Route = createFileRoute('/_auth/projects/$project/_in/_vpc-pages/vpcs/$vpc/_router-pages')({
  staticData: { crumb: { label: 'Routers', to: (params) => sections.vpcRouter.list(params) } },
})
