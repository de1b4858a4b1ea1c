import { createFileRoute, redirect } from '@tanstack/react-router'
import { paths } from '#/lib/addresses.ts'

export const Route = createFileRoute('/_auth/system/alerts/')({
  beforeLoad: () => {
    redirect({ href: paths.activeAlerts, replace: true, throw: true })
  },
})
