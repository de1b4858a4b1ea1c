import { createFileRoute, redirect } from '@tanstack/react-router'
import { sections } from '#/lib/addresses.ts'

export const Route = createFileRoute('/_auth/system/')({
  beforeLoad: () => {
    redirect({ href: sections.silo.list(), replace: true, throw: true })
  },
})
