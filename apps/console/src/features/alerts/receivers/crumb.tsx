import { createFileRoute } from '@tanstack/react-router'
import { sections } from '#/lib/addresses.ts'

export const Route = createFileRoute('/_auth/system/alerts/_receiver-pages')({
  staticData: { crumb: { label: 'Receivers', to: () => sections.alertReceiver.list() } },
})
