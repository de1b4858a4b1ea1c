import { createFileRoute } from '@tanstack/react-router'
import { sections } from '#/lib/addresses.ts'

export const Route = createFileRoute('/_auth/system/inventory/_rack-pages')({
  staticData: { crumb: { label: 'Racks', to: () => sections.rack.list() } },
})
