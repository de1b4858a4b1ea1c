import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/_auth/projects/$project/_in/')({
  beforeLoad: ({ params }) => {
    redirect({ to: '/projects/$project/instances', params, replace: true, throw: true })
  },
})
