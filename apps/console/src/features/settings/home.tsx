import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/_auth/settings/')({
  beforeLoad: () => {
    redirect({ to: '/settings/profile', replace: true, throw: true })
  },
})
