import { createFileRoute } from '@tanstack/react-router'
import { sections } from '#/lib/addresses.ts'

// The list and the pages of a VPC share this crumb, which leads to the list.
export const Route = createFileRoute('/_auth/projects/$project/_in/_vpc-pages')({
  staticData: {
    crumb: { label: 'VPCs', to: (params) => sections.vpc.list(params['project']) },
  },
})
