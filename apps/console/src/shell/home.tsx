import { createFileRoute, redirect } from '@tanstack/react-router'
import { sections } from '#/lib/addresses.ts'

export const Route = createFileRoute('/')({
  beforeLoad: () => {
    redirect({ href: sections.project.list(), replace: true, throw: true })
  },
})
