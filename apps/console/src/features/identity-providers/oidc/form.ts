/** The form of an identity provider with OpenID Connect, and the requests that it makes. */
import type {
  oidcIdentityProviderCreate,
  oidcIdentityProviderUpdate,
} from '@purlin/contract/operations/silos/oidc-providers'
import { hostOfSilo } from '@purlin/contract/rules/credentials/certificates'
import { isScope } from '@purlin/contract/rules/credentials/scopes'
import { limits } from '@purlin/contract/rules/limits'
import type { Args, Result } from '@purlin/contract/op'
import { loginPath } from '../form.ts'

export interface OidcForm {
  name: string
  description: string
  issuer: string
  clientId: string
  clientSecret: string
  scopes: string
  nameClaim: string
  groupsClaim: string
}

export const emptyOidc: OidcForm = {
  name: '',
  description: '',
  issuer: '',
  clientId: '',
  clientSecret: '',
  scopes: 'openid profile email',
  nameClaim: 'sub',
  groupsClaim: '',
}

/** Where users sign in with a provider: at the host of the silo if the console is open at one, else at this one. */
const addressOf = (silo: string, name: string, at: Pick<Location, 'origin' | 'hostname'>): string => {
  const [, zone] = /\.sys\.(.+)$/.exec(at.hostname) ?? []
  const origin = zone === undefined ? at.origin : `https://${hostOfSilo(silo, zone)}`
  return `${origin}${loginPath(silo, name, 'oidc')}`
}

/** The addresses that the administrator of a provider needs. */
export const addressesFor = (silo: string, name: string, at: Pick<Location, 'origin' | 'hostname'>) => ({
  redirect: `${addressOf(silo, name, at)}/callback`,
  logout: `${addressOf(silo, name, at)}/logout`,
})

const scopesIn = (text: string): string[] => text.split(/\s+/).filter((one) => one !== '')

/** The reason why a text is no list of scopes. */
export function scopesProblem(text: string): string | undefined {
  const scopes = scopesIn(text)
  const { scopes: most, scope: longest } = limits.oidc
  if (scopes.length > most) return `At most ${most} scopes`
  if (scopes.some((one) => one.length > longest)) return `A scope may have at most ${longest} characters`
  return scopes.every((one) => isScope(one)) ? undefined : 'Scopes are separated by spaces, without quotes'
}

type Body = Args<typeof oidcIdentityProviderCreate>['body']

/** The request of a filled form. */
export function oidcBody({ scopes, nameClaim, groupsClaim, ...more }: OidcForm): Body {
  const groups = groupsClaim.trim()
  return {
    ...more,
    issuer: more.issuer.trim(),
    scopes: scopesIn(scopes),
    nameClaim: nameClaim.trim(),
    ...(groups ? { groupsClaim: groups } : {}),
  }
}

/** The request that changes a provider. Its secret stays unless the form has another; so does an issuer that is the same. */
export function oidcChanges(
  form: OidcForm,
  present: { issuer: string },
): Args<typeof oidcIdentityProviderUpdate>['body'] {
  const { clientSecret, issuer, ...more } = oidcBody(form)
  return {
    ...more,
    groupsClaim: form.groupsClaim.trim(),
    ...(clientSecret === '' ? {} : { clientSecret }),
    ...(issuer === present.issuer ? {} : { issuer }),
  }
}

/** The values of a provider in its form, without its secret. */
export const oidcValuesOf = (row: Result<typeof oidcIdentityProviderUpdate>) => ({
  name: row.name,
  description: row.description,
  issuer: row.issuer,
  clientId: row.clientId,
  scopes: row.scopes.join(' '),
  nameClaim: row.nameClaim,
  groupsClaim: row.groupsClaim ?? '',
})
