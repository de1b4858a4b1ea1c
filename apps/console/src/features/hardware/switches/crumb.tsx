import { createFileRoute } from '@tanstack/react-router'
import { sections } from '#/lib/addresses.ts'

export const Route = createFileRoute('/_auth/system/inventory/_switch-pages')({
  staticData: { crumb: { label: 'Switches', to: () => sections.switch.list() } },
})
