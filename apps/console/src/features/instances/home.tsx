import { createFileRoute, redirect } from '@tanstack/react-router'
import { paths } from '#/lib/addresses.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/instances/$instance/')({
  beforeLoad: ({ params }) => {
    redirect({ href: paths.instance(params), replace: true, throw: true })
  },
})
