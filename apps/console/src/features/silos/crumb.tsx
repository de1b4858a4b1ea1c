import { createFileRoute } from '@tanstack/react-router'
import { sections } from '#/lib/addresses.ts'

// The list and the pages of a silo share this crumb, which leads to the list.
export const Route = createFileRoute('/_auth/system/_silo-pages')({
  staticData: { crumb: { label: 'Silos', to: () => sections.silo.list() } },
})
