import type { Control } from 'react-hook-form'
import { FileControl } from '#/ui/form/FileControl.tsx'
import { fileProblem, type CertificateForm } from './form.ts'

const accept = '.pem,.crt,.cer,.key'

/** The fields with the files of a certificate and its key. */
export const CertificateFiles = ({ control }: { control: Control<CertificateForm> }) => (
  <>
    <FileControl
      name="cert"
      control={control}
      required
      accept={accept}
      validate={fileProblem}
      hint="The chain in PEM, the certificate of the silo first. It must be for the host name of the silo."
    />
    <FileControl
      name="key"
      control={control}
      required
      accept={accept}
      validate={fileProblem}
      hint="Its private key in PEM, without a passphrase. It is never shown again."
    />
  </>
)
