import { createFileRoute, redirect } from '@tanstack/react-router'
import { paths } from '#/lib/addresses.ts'

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/')({
  beforeLoad: ({ params }) => {
    redirect({ href: paths.siloTab(params.silo, 'idps'), replace: true, throw: true })
  },
})
