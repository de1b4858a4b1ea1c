import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { CreateForm } from '#/resource/form/CreateForm.tsx'
import { kinds } from '#/resource/kinds.ts'
import { backTo, formRoute } from '#/resource/address/routeOptions.tsx'
import { FirstPool } from './FirstPool.tsx'
import { PoolNotice } from './PoolNotice.tsx'

export const Route = createFileRoute('/_auth/system/networking/_pools/_ip-pools/ip-pools-new')({
  ...formRoute('New IP pool'),
  validateSearch: backTo,
  component: CreatePool,
})

function CreatePool() {
  const { back } = Route.useSearch()
  const navigate = useNavigate()
  if (back !== undefined)
    return <FirstPool onClose={() => void navigate({ href: back, ignoreBlocker: true })} />
  return <CreateForm kind={kinds.ipPool} values={{ name: '', description: '' }} note={<PoolNotice />} />
}
