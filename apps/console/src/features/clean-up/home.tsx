import { createFileRoute, redirect } from '@tanstack/react-router'
import { paths } from '#/lib/addresses.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/clean-up/')({
  beforeLoad: ({ params }) => {
    redirect({ href: paths.cleanUp(params.project), replace: true, throw: true })
  },
})
