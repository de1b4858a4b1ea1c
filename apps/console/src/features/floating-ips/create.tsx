import { createFileRoute } from '@tanstack/react-router'
import { prefetch } from '#/api/query.ts'
import { poolsQuery } from '#/features/ip-pools/queries.ts'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { FloatingIpForm } from './FloatingIpForm.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_floating-ips/floating-ips-new')({
  ...formRoute('New floating IP'),
  loader: () => prefetch(poolsQuery()),
  component: () => <FloatingIpForm />,
})
