import { createFileRoute } from '@tanstack/react-router'
import { sections } from '#/lib/addresses.ts'

// The lists and the pages of all hardware share this crumb.
export const Route = createFileRoute('/_auth/system/inventory')({
  staticData: { crumb: { label: 'Inventory', to: () => sections.sled.list() } },
})
