/** Certificates of silos. Their keys leave the database for the handshake alone. */
import { covers, defaultZone, hostOfSilo } from '@purlin/contract/rules/certificates'
import { limits } from '@purlin/contract/rules/limits'
import { quoted } from '@purlin/contract/rules/messages'
import { permit, resolveCertificate } from '#/auth/resolve.ts'
import type { BodyOf, Ctx, Family, World } from '#/context.ts'
import type { Listed } from '#/db/listed.ts'
import { mapPage, pageByName } from '#/db/pages.ts'
import type { CertificateTable } from '#/db/tables.ts'
import { fault, type Fault } from '#/faults.ts'
import type { CertificateFacts, Certificates } from '#/ports.ts'
import { deleteRow, identityView, insertNamed, newIdentity } from './rows.ts'

const certificateView = (row: Listed<'certificate'>) => ({
  ...identityView(row),
  cert: row.certPem,
  service: 'external_api' as const,
  subject: row.subject,
  issuer: row.issuer,
  dnsNames: JSON.parse(row.dnsNamesJson) as string[],
  notBefore: new Date(row.notBefore),
  notAfter: new Date(row.notAfter),
})

export const certificates: Family<`certificate${'List' | 'Create' | 'View' | 'Delete'}`> = {
  async certificateList(ctx, { query }) {
    permit(ctx)
    const rows = ctx.tx.selectFrom('certificate').where('siloId', '=', ctx.actor.siloId)
    return mapPage(await pageByName(ctx, query, { rows, table: 'certificate' }), certificateView)
  },

  async certificateCreate(ctx, { body }) {
    permit(ctx)
    const { siloId, siloName } = ctx.actor
    return certificateView(await addCertificate(ctx, { id: siloId, name: siloName }, body))
  },

  async certificateView(ctx, { params }) {
    return certificateView(await resolveCertificate(ctx, params.certificate))
  },

  async certificateDelete(ctx, { params }) {
    await deleteRow('certificate')(ctx, await resolveCertificate(ctx, params.certificate))
  },
}

/** Checks a certificate and adds it to a silo. Throws 400 for what is wrong with it and for a taken name, 507, 503. */
export function addCertificate(
  ctx: Pick<Ctx, 'tx' | 'world' | 'now'>,
  silo: { id: string; name: string },
  { cert, key, ...named }: BodyOf<'certificateCreate'>,
): Promise<CertificateTable> {
  const { dnsNames, subject, issuer, notBefore, notAfter } = checked(ctx, silo.name, { cert, key })
  return insertNamed(ctx, 'certificate', {
    ...newIdentity(ctx, named),
    siloId: silo.id,
    certPem: cert,
    keyPem: key,
    subject: oneLine(subject),
    issuer: oneLine(issuer),
    dnsNamesJson: JSON.stringify(dnsNames.map(oneLine)),
    notBefore,
    notAfter,
    toldStage: null,
  })
}

const oneLine = (text: string): string =>
  text
    .trim()
    .replaceAll('\n', ', ')
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(0, limits.certificate.subject)

/** The first certificate of a chain that can be served with the key at the host of the silo. Throws 400, 503. */
function checked(
  { world, now }: Pick<Ctx, 'world' | 'now'>,
  silo: string,
  { cert, key }: { cert: string; key: string },
): CertificateFacts {
  const reader = readerOf(world)
  const chain = readChain(reader, cert)
  const [leaf] = chain
  if (!leaf) throw wrongCertificate('Certificate exists, but is empty')
  const most = limits.certificate.chain
  if (chain.length > most) throw wrongCertificate(`The chain has more than ${most} certificates`)
  if (chain.some(({ notAfter }) => notAfter <= now))
    throw wrongCertificate('Certificate exists, but is expired')
  checkNames(leaf, hostOfSilo(silo, world.zone ?? defaultZone))
  if (leaf.purposes.length > 0 && !leaf.purposes.includes(serverAuth))
    throw wrongCertificate('Unsupported certificate purpose (not usable for server auth)')
  checkPair(reader, { cert, key })
  return leaf
}

/** The purpose of TLS servers (RFC 5280, 4.2.1.12). */
const serverAuth = '1.3.6.1.5.5.7.3.1'

const wrongCertificate = (reason: string): Fault => fault.invalidValue('certificate', reason)
const wrongKey = (reason: string): Fault => fault.invalidValue('private-key', reason)

function readerOf({ certificates: reader }: World): Certificates {
  if (typeof reader === 'object') return reader
  throw fault.unavailable(reader ?? 'certificates cannot be read here')
}

function readChain(reader: Certificates, cert: string): CertificateFacts[] {
  // Everybody who may see the certificate would see it.
  if (cert.includes('PRIVATE KEY'))
    throw wrongCertificate(
      'Failed to parse certificate: there is a private key in it, which must be given apart',
    )
  try {
    return reader.read(cert)
  } catch {
    // What libraries say may repeat what they were given.
    throw wrongCertificate('Failed to parse certificate')
  }
}

function checkNames({ dnsNames, commonName }: CertificateFacts, host: string): void {
  const most = limits.certificate.names
  if (dnsNames.length > most) throw wrongCertificate(`Certificate has more than ${most} names`)
  const names = dnsNames.length > 0 || commonName === undefined ? dnsNames : [commonName]
  if (names.some((name) => covers(name, host))) return
  const found = names.length === 0 ? 'it has none' : `it has ${names.slice(0, 10).map(oneLine).join(', ')}`
  throw wrongCertificate(`Certificate not valid for given hostnames ${host}: ${quoted(found)}`)
}

function checkPair(reader: Certificates, pair: { cert: string; key: string }): void {
  const { is, why } = reader.pair(pair)
  if (is === 'unreadable') throw wrongKey(['Failed to parse private key', why].filter(Boolean).join(': '))
  if (is === 'another') throw wrongKey('Certificate and private key do not match')
  if (is === 'refused') throw wrongCertificate(`Certificate cannot be served: ${why}`)
}

/** When the certificate of a silo expires that does so last; null if it has none. */
export async function lastExpiry({ tx }: Pick<Ctx, 'tx'>, siloId: string): Promise<Date | null> {
  const last = await tx
    .selectFrom('certificate')
    .select('notAfter')
    .where('siloId', '=', siloId)
    .orderBy('notAfter', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last ? new Date(last.notAfter) : null
}
