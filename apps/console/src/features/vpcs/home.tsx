import { createFileRoute, redirect } from '@tanstack/react-router'
import { paths } from '#/lib/addresses.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/_vpc-pages/vpcs/$vpc/')({
  beforeLoad: ({ params }) => {
    redirect({ href: paths.vpcTab(params, 'firewall-rules'), replace: true, throw: true })
  },
})
