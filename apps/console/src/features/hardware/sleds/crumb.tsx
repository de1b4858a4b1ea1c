import { createFileRoute } from '@tanstack/react-router'
import { sections } from '#/lib/addresses.ts'

export const Route = createFileRoute('/_auth/system/inventory/_sled-pages')({
  staticData: { crumb: { label: 'Sleds', to: () => sections.sled.list() } },
})
