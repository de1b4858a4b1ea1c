/** How identity providers of SAML are stored, and how their metadata is read. */
import { limits } from '@purlin/contract/rules/limits'
import { utf8 } from '#/bytes.ts'
import type { BodyOf, World } from '#/context.ts'
import type { SamlProviderTable, Tx } from '#/db/tables.ts'
import { fault, type Fault } from '#/faults.ts'
import { readColumns } from './provider-metadata.ts'
import { type Saml, type SamlCertificate, type SamlMetadata, SamlRefused, type SamlService } from '#/ports.ts'

type Source = BodyOf<'samlIdentityProviderCreate'>['idpMetadataSource']
type KeyPair = NonNullable<BodyOf<'samlIdentityProviderCreate'>['signingKeypair']>

/** The port. Throws 503 on platforms without one. */
export function samlOf({ saml }: World): Saml {
  if (typeof saml === 'object') return saml
  throw fault.unavailable(saml ?? 'identity providers cannot be reached from here')
}

/** The part of a provider that is about SAML. */
export const samlOfProvider = (tx: Tx, id: string): Promise<SamlProviderTable> =>
  tx.selectFrom('samlProvider').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** The certificates of a provider. */
export const certificatesIn = ({ certificatesJson }: Pick<SamlProviderTable, 'certificatesJson'>) =>
  JSON.parse(certificatesJson) as SamlCertificate[]

/** The service as a provider knows it. */
export const serviceOf = ({
  serviceEntityId: entityId,
  acsUrl,
  publicCert,
  privateKey,
}: SamlProviderTable): SamlService => ({
  entityId,
  acsUrl,
  keys: publicCert !== null && privateKey !== null ? { publicCert, privateKey } : undefined,
})

/** The columns that follow from metadata. Metadata of an address is read again every day. */
export function metadataColumns({ signOnUrl, certificates }: SamlMetadata, url: string | null, now: number) {
  const { timeDue, ...read } = readColumns(now)
  return {
    ...read,
    signOnUrl,
    certificatesJson: JSON.stringify(certificates),
    metadataUrl: url,
    timeDue: url === null ? null : timeDue,
  }
}

/** The metadata of the provider with this entity id. Throws 400, 503. */
export async function readSource(world: World, source: Source, entityId: string): Promise<SamlMetadata> {
  const xml = source.type === 'url' ? await fetched(world, source.url) : decoded(source.data)
  return samlOf(world)
    .readMetadata(xml, entityId)
    .catch((error: unknown) => {
      throw error instanceof SamlRefused ? fault.invalidValue('idp_metadata_source', error.message) : error
    })
}

async function fetched(world: World, url: string): Promise<string> {
  const found = await samlOf(world).fetchMetadata(url)
  if ('xml' in found) return found.xml
  const reason =
    'status' in found ? `querying url returned: ${found.status}` : `error querying url: ${found.failure}`
  throw fault.invalidValue('url', reason)
}

function decoded(data: Uint8Array | null): string {
  if (data === null) throw wrongData('it is not base64')
  if (data.length > limits.saml.metadata) throw wrongData(`it has more than ${limits.saml.metadata} bytes`)
  try {
    return utf8(data)
  } catch {
    throw wrongData('it is not UTF-8')
  }
}

const wrongData = (reason: string): Fault => fault.invalidValue('data', reason)

/** The columns of a key pair that signs requests. Throws 400 for one that cannot. */
export async function keyColumns(world: World, keys: KeyPair): Promise<KeyPair> {
  const problem = await samlOf(world).keyPairProblem(keys)
  if (problem) throw fault.invalidValue(problem.field, problem.reason)
  return { publicCert: keys.publicCert, privateKey: keys.privateKey }
}
