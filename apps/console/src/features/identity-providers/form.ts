/** The form of an identity provider, and the request that it makes. */
import type {
  samlIdentityProviderCreate,
  samlIdentityProviderUpdate,
} from '@purlin/contract/operations/silos/identity-providers'
import { hostOfSilo } from '@purlin/contract/rules/credentials/certificates'
import { limits } from '@purlin/contract/rules/limits'
import { toBase64 } from '@purlin/contract/wire'
import type { Args, Result } from '@purlin/contract/op'
import { formatSize } from '#/lib/format.ts'

export interface ProviderForm {
  name: string
  description: string
  technicalContactEmail: string
  spClientId: string
  hasStandardAcsUrl: boolean
  acsUrl: string
  sloUrl: string
  publicCert: File | null
  privateKey: File | null
  idpEntityId: string
  groupAttributeName: string
  /** `keep` is for a provider that exists. */
  source: 'keep' | 'url' | 'xml'
  metadataUrl: string
  metadataXml: File | null
}

export const emptyProvider: ProviderForm = {
  name: '',
  description: '',
  technicalContactEmail: '',
  spClientId: '',
  hasStandardAcsUrl: true,
  acsUrl: '',
  sloUrl: '',
  publicCert: null,
  privateKey: null,
  idpEntityId: '',
  groupAttributeName: '',
  source: 'url',
  metadataUrl: '',
  metadataXml: null,
}

/** Where users of a silo sign in with a provider. */
export const loginPath = (silo: string, name: string, protocol: 'saml' | 'oidc' = 'saml'): string =>
  `/login/${silo}/${protocol}/${name || 'idp-name'}`

/** The address that providers send answers to, if the console is open at the host name of a silo; else with a placeholder. */
export function standardAcsUrl(silo: string, name: string, at: string): string {
  const [, zone = 'placeholder'] = /\.sys\.(.+)$/.exec(at) ?? []
  return `https://${hostOfSilo(silo, zone)}${loginPath(silo, name)}`
}

/** The reason why a text is no address of the web. */
export const urlProblem = (text: string): string | undefined => {
  const protocol = URL.parse(text)?.protocol
  return text === '' || protocol === 'https:' || protocol === 'http:'
    ? undefined
    : 'Must be an address, such as https://…'
}

/** The reason why a text is no e-mail address. */
export const emailProblem = (text: string): string | undefined =>
  text === '' || /^[^\s@]+@[^\s@]+$/.test(text) ? undefined : 'Must be an e-mail address'

/** The reason why a file is too large. */
export const fileProblem = (file: File | null, most: number): string | undefined =>
  file && file.size > most ? `The file may have at most ${formatSize(most)}` : undefined

export const mostMetadata = limits.saml.metadata
/** Three bytes are four characters. */
export const mostOfKey = (limits.saml.key / 4) * 3

/** Half of a key pair is none. */
export const pairProblem = (one: File | null, other: File | null): string | undefined =>
  !one && other ? 'Choose both the certificate and the key, or neither' : undefined

const base64Of = async (file: File): Promise<string> => toBase64(new Uint8Array(await file.arrayBuffer()))

type Body = Args<typeof samlIdentityProviderCreate>['body']
type Changes = Args<typeof samlIdentityProviderUpdate>['body']

/** The request of a filled form. */
export async function providerBody(form: ProviderForm, acsUrl: string): Promise<Body> {
  const groupAttributeName = form.groupAttributeName.trim()
  return {
    ...settingsIn(form, acsUrl),
    idpMetadataSource: (await sourceIn(form)) ?? { type: 'url', url: '' },
    ...(await keysIn(form)),
    ...(groupAttributeName ? { groupAttributeName } : {}),
  }
}

/** The request that changes a provider. Metadata and key stay unless the form has others. */
export async function providerChanges(form: ProviderForm, acsUrl: string): Promise<Changes> {
  const source = await sourceIn(form)
  return {
    ...settingsIn(form, acsUrl),
    groupAttributeName: form.groupAttributeName.trim(),
    ...(source ? { idpMetadataSource: source } : {}),
    ...(await keysIn(form)),
  }
}

function settingsIn(form: ProviderForm, acsUrl: string) {
  const { name, description, technicalContactEmail, spClientId, sloUrl, idpEntityId } = form
  return { name, description, technicalContactEmail, spClientId, acsUrl, sloUrl, idpEntityId }
}

async function sourceIn({
  source,
  metadataUrl,
  metadataXml,
}: ProviderForm): Promise<Body['idpMetadataSource'] | undefined> {
  if (source === 'url') return { type: 'url', url: metadataUrl.trim() }
  return source === 'xml' && metadataXml
    ? { type: 'base64_encoded_xml', data: await base64Of(metadataXml) }
    : undefined
}

const keysIn = async ({ publicCert, privateKey }: ProviderForm): Promise<Pick<Body, 'signingKeypair'>> =>
  publicCert && privateKey
    ? { signingKeypair: { publicCert: await base64Of(publicCert), privateKey: await base64Of(privateKey) } }
    : {}

/** The values of a provider in its form, without its secrets. */
export const valuesOf = (row: Result<typeof samlIdentityProviderUpdate>) => ({
  name: row.name,
  description: row.description,
  technicalContactEmail: row.technicalContactEmail,
  spClientId: row.spClientId,
  acsUrl: row.acsUrl,
  sloUrl: row.sloUrl,
  idpEntityId: row.idpEntityId,
  groupAttributeName: row.groupAttributeName ?? '',
})
