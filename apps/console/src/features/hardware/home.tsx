import { createFileRoute, redirect } from '@tanstack/react-router'
import { sections } from '#/lib/addresses.ts'

export const Route = createFileRoute('/_auth/system/inventory/')({
  beforeLoad: () => {
    redirect({ href: sections.sled.list(), replace: true, throw: true })
  },
})
