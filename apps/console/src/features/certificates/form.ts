/** The form of a certificate, alone and for a silo that is about to be made. */
import type { certificateCreate } from '@purlin/contract/operations/silos/certificates'
import { limits } from '@purlin/contract/rules/limits'
import { aboutOf } from '@purlin/contract/rules/messages'
import type { In } from '@purlin/contract/schema'
import { ExplainedError } from '#/api/errors.ts'
import { formatSize } from '#/lib/format.ts'

export interface CertificateForm {
  name: string
  description: string
  cert: File | null
  key: File | null
}
/** A certificate as the API takes it. */
export type CertificateBody = In<(typeof certificateCreate)['body']>

export const emptyCertificate: CertificateForm = { name: '', description: '', cert: null, key: null }

/** The problem with a chosen file. */
export const fileProblem = (file: File | null): string | undefined =>
  file && file.size > limits.certificate.pem
    ? `The file may have at most ${formatSize(limits.certificate.pem)}`
    : undefined

/** The request of a filled form. */
export async function certificateBody({ cert, key, ...named }: CertificateForm): Promise<CertificateBody> {
  if (!cert || !key) throw new ExplainedError('Choose the files of the certificate and of its key')
  return { ...named, cert: await cert.text(), key: await key.text(), service: 'external_api' }
}

/** The reason of an error of the API that is about one of the files. */
export function wrongFile(error: unknown): string | undefined {
  const message = error instanceof Error ? error.message : ''
  const { field } = aboutOf(message)
  return field === 'certificate' || field === 'private-key'
    ? message.slice(message.indexOf(': ') + 2)
    : undefined
}
