import { createFileRoute } from '@tanstack/react-router'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { AddRangeForm } from './ranges/AddRangeForm.tsx'
import { servicePool } from './ranges/poolRanges.ts'

// The page of the pool has loaded its ranges.
export const Route = createFileRoute('/_auth/system/networking/_pools/service-ip-pool/ranges-add')({
  ...formRoute('Add range'),
  component: () => <AddRangeForm pool={servicePool} />,
})
