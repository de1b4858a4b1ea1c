import { createFileRoute } from '@tanstack/react-router'
import { paths } from '#/lib/addresses.ts'

// The alerts, their receivers and the page of a receiver share this crumb.
export const Route = createFileRoute('/_auth/system/alerts')({
  staticData: { crumb: { label: 'Alerts', to: () => paths.alerts } },
})
