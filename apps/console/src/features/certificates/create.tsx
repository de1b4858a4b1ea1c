import { createFileRoute } from '@tanstack/react-router'
import { CreateForm } from '#/resource/CreateForm.tsx'
import { kinds } from '#/resource/kinds.ts'
import { formRoute } from '#/resource/routeOptions.tsx'
import { CertificateFiles } from './CertificateFiles.tsx'
import { certificateBody, emptyCertificate, wrongFile } from './form.ts'

export const Route = createFileRoute('/_auth/_silo/_access-tabs/_certificates/certificates-new')({
  ...formRoute('Add certificate'),
  component: AddCertificate,
})

function AddCertificate() {
  return (
    <CreateForm
      kind={kinds.certificate}
      title="Add certificate"
      requiredRole="admin"
      values={emptyCertificate}
      toBody={certificateBody}
      onError={(error, form) => {
        const wrong = wrongFile(error)
        if (wrong) form.setError(wrong.field, { message: wrong.reason }, { shouldFocus: true })
      }}
    >
      {({ control }) => <CertificateFiles control={control} />}
    </CreateForm>
  )
}
