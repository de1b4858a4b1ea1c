import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/_auth/projects/$project/_in/')({
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/projects/$project/instances', params, replace: true })
  },
})
