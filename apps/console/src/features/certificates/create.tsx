import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { CreateForm } from '#/resource/form/CreateForm.tsx'
import { kinds } from '#/resource/kinds.ts'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { ownQueries } from '#/resource/role/useRole.ts'
import { CertificateFiles } from './CertificateFiles.tsx'
import { certificateBody, emptyCertificate } from './form.ts'

export const Route = createFileRoute('/_auth/_silo/_access-tabs/_certificates/certificates-new')({
  ...formRoute('Add certificate'),
  component: AddCertificate,
})

function AddCertificate() {
  const silo = useQuery(ownQueries.me()).data?.siloName ?? ''
  return (
    <CreateForm
      kind={kinds.certificate}
      title="Add certificate"
      requiredRole="admin"
      values={emptyCertificate}
      toBody={certificateBody}
    >
      {({ control }) => <CertificateFiles control={control} silo={silo} />}
    </CreateForm>
  )
}
