/** The certificate that TLS serves at a host name. */
import { covers, defaultZone, hostOfSilo, siloNamedBy } from '@purlin/contract/rules/credentials/certificates'
import type { World } from '#/context.ts'
import { traced } from '#/db/engine.ts'
import type { CertificateTable, Tx } from '#/db/tables.ts'

/** The choice for a host. */
export interface ServedCertificate {
  id: string
  /** False as soon as another one may be the right one. */
  isCurrent(): boolean
  /** The chain and its private key; undefined if it has been deleted since. */
  load(): Promise<{ cert: string; key: string } | undefined>
}

// Where other servers write, a change is seen after this time.
const unseenMs = 1_000

/**
 * The certificate to serve at a host: of those of its silo for the name, it prefers the ones that are valid now, and
 * of these the one that expires last. `unservable` has the ids of those that TLS refuses. Undefined if no silo has
 * this name, or it has no certificate left.
 */
export async function certificateFor(
  world: World,
  host: string,
  unservable: ReadonlySet<string> = new Set(),
): Promise<ServedCertificate | undefined> {
  const silo = siloNamedBy(host)
  if (silo === undefined || host.toLowerCase() !== hostOfSilo(silo, world.zone ?? defaultZone))
    return undefined
  const { engine, clock } = world
  const now = clock.now()
  const { value: all, fresh } = await traced(engine, (reads) =>
    engine.transaction('read', (tx) => certificatesOf(tx, silo), reads),
  )
  const [best] = all
    .filter((one) => !unservable.has(one.id) && isFor(host, dnsNamesIn(one)))
    .toSorted((a, b) => Number(isValid(b, now)) - Number(isValid(a, now)) || b.notAfter - a.notAfter)
  if (!best) return undefined
  const until = nextChange(all, now)
  const seen = fresh ?? (() => clock.now() < now + unseenMs)
  const { id } = best
  return {
    id,
    isCurrent: () => clock.now() < until && seen(),
    load: () => engine.transaction('read', (tx) => pairOf(tx, id)),
  }
}

/** The names of a certificate as they are stored. */
export const dnsNamesIn = (row: { dnsNamesJson: string }) => JSON.parse(row.dnsNamesJson) as string[]

type Choice = Pick<CertificateTable, 'id' | 'dnsNamesJson' | 'notBefore' | 'notAfter'>

const certificatesOf = (tx: Tx, silo: string): Promise<Choice[]> =>
  tx
    .selectFrom('certificate')
    .innerJoin('silo', 'silo.id', 'certificate.siloId')
    .select(['certificate.id', 'dnsNamesJson', 'notBefore', 'notAfter'])
    .where('silo.name', '=', silo)
    .orderBy('certificate.id')
    .execute()

const pairOf = (tx: Tx, id: string): Promise<{ cert: string; key: string } | undefined> =>
  tx
    .selectFrom('certificate')
    .select(['certPem as cert', 'keyPem as key'])
    .where('id', '=', id)
    .executeTakeFirst()

// One that has no alternative names was accepted for its common name.
const isFor = (host: string, names: readonly string[]): boolean =>
  names.length === 0 || names.some((name) => covers(name, host))

const isValid = ({ notBefore, notAfter }: Choice, now: number): boolean => notBefore <= now && now < notAfter

/** When the next of them begins or ends to be valid. */
const nextChange = (all: readonly Choice[], now: number): number =>
  Math.min(...all.flatMap(({ notBefore, notAfter }) => [notBefore, notAfter]).filter((time) => time > now))
