import { createFileRoute } from '@tanstack/react-router'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { AddRangeForm } from './ranges/AddRangeForm.tsx'
import { rangedPool } from './ranges/poolRanges.ts'

// The page of the pool has loaded its ranges.
export const Route = createFileRoute('/_auth/system/networking/_pools/ip-pools/$pool/ranges-add')({
  ...formRoute('Add range'),
  component: AddRange,
})

function AddRange() {
  return <AddRangeForm pool={rangedPool(Route.useParams().pool)} />
}
