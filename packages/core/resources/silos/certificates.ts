/** Certificates of silos. Their keys leave the database only for the handshake. */
import {
  nameProblem,
  oneLine,
  pairProblem,
  readLeaf,
  type CertificateFacts,
  type CertificateProblem,
  type Certificates,
  type Pair,
} from '@purlin/contract/rules/credentials/certificate-checks'
import { defaultZone, hostOfSilo } from '@purlin/contract/rules/credentials/certificates'
import type { BodyOf, Ctx, World } from '#/context.ts'
import type { Listed } from '#/db/lists/listed.ts'
import type { CertificateTable, Tx } from '#/db/tables.ts'
import { fault, type Fault } from '#/faults.ts'
import { plain } from '../kind/plain.ts'
import { identityView, insertNamed, newIdentity } from '../kind/rows.ts'
import { dnsNamesIn } from './served-certificates.ts'

const certificateView = (row: Listed<'certificate'>) => ({
  ...identityView(row),
  cert: row.certPem,
  service: 'external_api' as const,
  subject: row.subject,
  issuer: row.issuer,
  dnsNames: dnsNamesIn(row),
  notBefore: new Date(row.notBefore),
  notAfter: new Date(row.notAfter),
})

export const certificates = plain('certificate', { view: certificateView, create: addCertificate }).handlers

/** Checks a certificate and adds it to a silo. Throws 400 for an invalid one and for a taken name, 507, 503. */
export async function addCertificate(
  ctx: Pick<Ctx, 'tx' | 'unit' | 'world' | 'now'>,
  silo: { id: string; name: string },
  { cert, key, ...named }: BodyOf<'certificateCreate'>,
): Promise<CertificateTable> {
  const { dnsNames, subject, issuer, notBefore, notAfter } = await checked(ctx, silo.name, { cert, key })
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

/** The first certificate of a chain that can be served with the key at the host of the silo. Throws 400, 503. */
async function checked(
  { world, now }: Pick<Ctx, 'world' | 'now'>,
  silo: string,
  pair: Pair,
): Promise<CertificateFacts> {
  const reader = readerOf(world)
  const leaf = await readLeaf(reader, pair.cert, now)
  if ('reason' in leaf) throw wrong(leaf)
  const problem =
    nameProblem(leaf, hostOfSilo(silo, world.zone ?? defaultZone)) ?? (await pairProblem(reader, pair))
  if (problem) throw wrong(problem)
  return leaf
}

const wrong = ({ field, reason }: CertificateProblem): Fault => fault.invalidValue(field, reason)

function readerOf({ certificates: reader }: World): Certificates {
  if (typeof reader === 'object') return reader
  throw fault.unavailable(reader ?? 'certificates cannot be read here')
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

/** The certificates that servers present, with their silos: of each silo, the one that is valid for longest. */
export const presentedCertificates = (tx: Tx) =>
  tx
    .selectFrom('certificate as one')
    .innerJoin('silo', 'silo.id', 'one.siloId')
    .select(['one.id', 'one.name', 'one.notAfter', 'silo.name as silo'])
    .where((eb) => {
      const longer = eb
        .selectFrom('certificate as other')
        .select('other.id')
        .whereRef('other.siloId', '=', 'one.siloId')
        .whereRef('other.notAfter', '>', 'one.notAfter')
      return eb.not(eb.exists(longer))
    })
