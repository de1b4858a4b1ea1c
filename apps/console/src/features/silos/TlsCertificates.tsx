import { limits } from '@purlin/contract/rules/limits'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { CertificateFiles } from '#/features/certificates/CertificateFiles.tsx'
import { certificateBody, emptyCertificate, type CertificateBody } from '#/features/certificates/form.ts'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { MiniTable } from '#/ui/field/MiniTable.tsx'
import { DescriptionControl } from '#/ui/form/DescriptionControl.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'

interface Props {
  /** The name of the silo as it is entered so far. */
  silo: string
  rows: readonly CertificateBody[]
  onChange: (rows: CertificateBody[]) => void
  /** The certificate that the server refused, and the reason. */
  refused: { index: number; reason: string } | undefined
}

/** The certificates that a new silo begins with. */
export function TlsCertificates({ silo, rows, onChange, refused }: Props) {
  const [isAdding, setAdding] = useState(false)
  const most = limits.silo.certificates
  const add = (row: CertificateBody) => {
    onChange([...rows, row])
    setAdding(false)
  }
  return (
    <section aria-labelledby="tls-certificates" className="border-t border-line-faint pt-4">
      <h3 id="tls-certificates" className="font-medium">
        TLS certificates
      </h3>
      <p className="mb-3 text-secondary">
        Without one, the host name of the silo cannot be reached over TLS. Its administrators can add one
        later.
      </p>
      <div className="flex flex-col gap-3">
        <MiniTable
          label="TLS certificates"
          columns={[{ header: 'Name', cell: ({ name }) => name }]}
          rows={rows}
          rowKey={({ name }) => name}
          onRemove={(row) => onChange(rows.filter((other) => other !== row))}
          removeLabel={({ name }) => `Remove certificate ${name}`}
          rowError={(_, index) => (index === refused?.index ? refused.reason : undefined)}
        />
        <div>
          <Button
            size="small"
            disabledReason={
              rows.length >= most ? `A new silo may have at most ${most} certificates` : undefined
            }
            onClick={() => setAdding(true)}
          >
            Add TLS certificate
          </Button>
        </div>
      </div>
      {isAdding && (
        <AddDialog
          silo={silo}
          taken={rows.map(({ name }) => name)}
          onAdd={add}
          onDismiss={() => setAdding(false)}
        />
      )}
    </section>
  )
}

function AddDialog({
  silo,
  taken,
  onAdd,
  onDismiss,
}: {
  silo: string
  taken: readonly string[]
  onAdd: (row: CertificateBody) => void
  onDismiss: () => void
}) {
  const form = useForm({ defaultValues: emptyCertificate })
  const { control } = form
  return (
    <ModalForm
      title="Add TLS certificate"
      submitLabel="Add certificate"
      form={form}
      onSubmit={async (values) => onAdd(await certificateBody(values))}
      request={null}
      onDismiss={onDismiss}
    >
      <NameControl
        name="name"
        control={control}
        validate={(name) =>
          taken.includes(name) ? 'A certificate with this name already exists' : undefined
        }
      />
      <DescriptionControl name="description" control={control} />
      <CertificateFiles control={control} silo={silo} />
    </ModalForm>
  )
}
