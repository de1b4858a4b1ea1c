import { createFileRoute } from '@tanstack/react-router'
import { sections } from '#/lib/addresses.ts'

// The list and the page of a pool share this crumb, which leads to the list.
export const Route = createFileRoute('/_auth/system/networking/_pools')({
  staticData: { crumb: { label: 'IP Pools', to: () => sections.ipPool.list() } },
})
