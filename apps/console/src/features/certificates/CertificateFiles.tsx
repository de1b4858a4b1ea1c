import { namesOf, type CertificateFacts } from '@purlin/contract/rules/credentials/certificate-checks'
import { useEffect, useState } from 'react'
import { useWatch, type Control } from 'react-hook-form'
import { FileControl } from '#/ui/form/FileControl.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { chainProblem, keyNote, keyProblem, leafOf, nameNote } from './check.ts'
import { Expiry } from './Expiry.tsx'
import { fileProblem, type CertificateForm } from './form.ts'

const accept = '.pem,.crt,.cer,.key'

/** The fields with the files of a certificate for a silo and of its key. They are checked before they are sent. */
export const CertificateFiles = ({ control, silo }: { control: Control<CertificateForm>; silo: string }) => (
  <>
    <FileControl
      name="cert"
      label="Certificate"
      control={control}
      required
      accept={accept}
      validate={(file) => fileProblem(file) ?? (file ? chainProblem(file) : undefined)}
      hint="The chain in PEM, the certificate of the silo first. It must be for the host name of the silo."
    />
    <FileControl
      name="key"
      label="Private key"
      control={control}
      required
      accept={accept}
      validate={(file, { cert }) => fileProblem(file) ?? (file ? keyProblem(file, cert) : undefined)}
      hint="In PEM, without a passphrase. It is never shown again."
    />
    {/* Below both fields, so that neither moves while it is aimed at. */}
    <Read control={control} silo={silo} />
  </>
)

/** The facts of the chosen certificate. Its problems appear at the field, once the form is sent. */
function Read({ control, silo }: { control: Control<CertificateForm>; silo: string }) {
  const file = useWatch({ control, name: 'cert' })
  const leaf = useLeaf(file)
  if (!leaf) return null
  const note = nameNote(leaf, silo, window.location.hostname)
  const warning = keyNote(leaf)
  return (
    <div role="status" className="flex flex-col gap-2">
      <p className="flex flex-wrap items-center gap-x-2 text-secondary">
        Valid until <Expiry notBefore={new Date(leaf.notBefore)} notAfter={new Date(leaf.notAfter)} />
      </p>
      {note === undefined ? (
        <p className="text-secondary">
          For <span className="mono wrap-anywhere">{namesOf(leaf).slice(0, 5).join(', ')}</span>
        </p>
      ) : (
        <Notice>{note}</Notice>
      )}
      {warning !== undefined && <Notice>{warning}</Notice>}
    </div>
  )
}

/** The first certificate of a file, once it is read. */
function useLeaf(file: File | null): CertificateFacts | undefined {
  const [read, setRead] = useState<{ file: File; leaf: CertificateFacts }>()
  useEffect(() => {
    if (!file || fileProblem(file)) return
    const take = async () => {
      const leaf = await leafOf(file)
      if (leaf && !('reason' in leaf)) setRead({ file, leaf })
    }
    // A file that cannot be read is reported when the form is sent.
    take().catch(() => undefined)
  }, [file])
  return read && read.file === file ? read.leaf : undefined
}
