import { createFileRoute, redirect } from '@tanstack/react-router'
import { paths } from '#/lib/addresses.ts'

export const Route = createFileRoute('/_auth/system/')({
  beforeLoad: () => {
    redirect({ href: paths.systemOverview, replace: true, throw: true })
  },
})
