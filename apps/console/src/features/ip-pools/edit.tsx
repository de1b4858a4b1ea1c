import { pageOf } from '#/resource/address/pageOf.ts'
import { createFileRoute } from '@tanstack/react-router'
import { EditForm } from '#/resource/form/EditForm.tsx'
import { kinds } from '#/resource/kinds.ts'
import { fresh, formRoute, loadRowToEdit } from '#/resource/address/routeOptions.tsx'
import { PoolNotice } from './PoolNotice.tsx'

export const Route = createFileRoute('/_auth/system/networking/_pools/ip-pools/$pool/edit')({
  ...formRoute('Edit IP pool'),
  ...fresh,
  loader: (match) => loadRowToEdit(kinds.ipPool, match),
  component: () => (
    <EditForm
      kind={kinds.ipPool}
      properties={null}
      hasNameLine={false}
      note={<PoolNotice />}
      closeTo={(name) => pageOf('ipPool', { name })}
    />
  ),
})
