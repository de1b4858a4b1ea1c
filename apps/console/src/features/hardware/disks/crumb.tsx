import { createFileRoute } from '@tanstack/react-router'
import { sections } from '#/lib/addresses.ts'

export const Route = createFileRoute('/_auth/system/inventory/_disk-pages')({
  staticData: { crumb: { label: 'Disks', to: () => sections.physicalDisk.list() } },
})
