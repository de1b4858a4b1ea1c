import { createFileRoute } from '@tanstack/react-router'
import { sections } from '#/lib/addresses.ts'

// The pages of the network outside of the racks share this crumb.
export const Route = createFileRoute('/_auth/system/networking/_network')({
  staticData: { crumb: { label: 'Network', to: () => sections.addressLot.list() } },
})
