import { pageOf } from '#/resource/address/pageOf.ts'
import { createFileRoute } from '@tanstack/react-router'
import { RenameNotice } from '#/features/network-losses/RenameNotice.tsx'
import { EditForm } from '#/resource/form/EditForm.tsx'
import { ProtectionControl, protectableValues } from '#/resource/form/ProtectionControl.tsx'
import { kinds } from '#/resource/kinds.ts'
import { fresh, formRoute, loadRowToEdit } from '#/resource/address/routeOptions.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'

export const Route = createFileRoute(
  '/_auth/projects/$project/_in/_vpc-pages/vpcs/$vpc/_page/_firewall-rules/edit',
)({
  ...formRoute('Edit VPC'),
  ...fresh,
  loader: (match) => loadRowToEdit(kinds.vpc, match),
  component: EditVpc,
})

function EditVpc() {
  const params = Route.useParams()
  return (
    <EditForm
      kind={kinds.vpc}
      hasNameLine={false}
      properties={null}
      values={({ dnsName, ...row }) => ({ ...protectableValues(row), dnsName })}
      closeTo={(name) => pageOf('vpc', { ...params, name })}
    >
      {({ control }) => (
        <>
          <RenameNotice control={control} name={params.vpc} scope={params} change={{ type: 'rename_vpc' }} />
          <NameControl name="dnsName" control={control} label="DNS name" />
          <ProtectionControl control={control} />
        </>
      )}
    </EditForm>
  )
}
