/** The checks of certificates in forms, by the rules of the server. */
import { serverNow } from '#/lib/clock.ts'
import {
  keyThatBrowsersRefuse,
  namesOf,
  pairProblem,
  readLeaf,
  type CertificateFacts,
  type CertificateProblem,
} from '@purlin/contract/rules/credentials/certificate-checks'
import { covers, hostOfSilo, siloNamedBy } from '@purlin/contract/rules/credentials/certificates'

/** The reader of certificates; undefined if its code cannot be loaded: then only the server checks. */
const reader = () =>
  import('@purlin/x509/x509').then(
    ({ webCertificates }) => webCertificates,
    () => undefined,
  )

/** The first certificate of a file, or the problem with its chain; undefined if it could not be checked. */
export async function leafOf(file: File): Promise<CertificateFacts | CertificateProblem | undefined> {
  const certificates = await reader()
  return certificates && readLeaf(certificates, await file.text(), serverNow())
}

/** The problem with the file of a chain. */
export async function chainProblem(file: File): Promise<string | undefined> {
  const leaf = await leafOf(file)
  return leaf && 'reason' in leaf ? leaf.reason : undefined
}

/** The problem with the file of a key for a chain that is fine. Without TLS, browsers do not read keys. */
export async function keyProblem(key: File, chain: File | null): Promise<string | undefined> {
  const certificates = await reader()
  if (!certificates || !isSecureContext || !chain || (await chainProblem(chain))) return undefined
  return (await pairProblem(certificates, { cert: await chain.text(), key: await key.text() }))?.reason
}

/** The warning about a certificate that only some clients can use. */
export function keyNote(leaf: CertificateFacts): string | undefined {
  const kind = keyThatBrowsersRefuse(leaf)
  return (
    kind &&
    `Some browsers refuse keys of type ${kind}. Use P-256, P-384 or RSA for a console that all can open.`
  )
}

/** The domain of the silos, if the console is open at the host name of one. */
const zoneOf = (host: string): string | undefined => /^[^.]+\.sys\.(.+)$/.exec(host)?.[1]

/** The warning about a certificate that is not for the host name of a silo, in a console that is open at a host. */
export function nameNote(leaf: CertificateFacts, silo: string, at: string): string | undefined {
  if (silo === '') return undefined
  const zone = zoneOf(at)
  const isFor = (name: string) =>
    zone === undefined
      ? name.startsWith('*.sys.') || siloNamedBy(name) === silo
      : covers(name, hostOfSilo(silo, zone))
  const names = namesOf(leaf)
  if (names.some(isFor)) return undefined
  const found = names.length === 0 ? 'no host name' : names.slice(0, 5).join(', ')
  const host = zone === undefined ? `begins with ${hostOfSilo(silo, '')}` : `is ${hostOfSilo(silo, zone)}.`
  return `It is for ${found}, but the host name of the silo ${host}`
}
