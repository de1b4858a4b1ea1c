import { createFileRoute, redirect } from '@tanstack/react-router'
import { paths } from '#/lib/addresses.ts'

export const Route = createFileRoute('/_auth/system/inventory/_sled-pages/sleds/$sledId/')({
  beforeLoad: ({ params }) => {
    redirect({ href: paths.sledTab(params.sledId, 'instances'), replace: true, throw: true })
  },
})
