import { createFileRoute, redirect } from '@tanstack/react-router'
import { paths } from '#/lib/addresses.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/instances/$instance/_page/metrics/')({
  beforeLoad: ({ params }) => {
    redirect({ href: paths.instanceTab(params, 'metrics/cpu'), replace: true, throw: true })
  },
})
