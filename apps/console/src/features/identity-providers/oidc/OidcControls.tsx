/** The fields of an identity provider with OpenID Connect. */
import { oidcIdentityProviderCreate } from '@purlin/contract/operations/silos/oidc-providers'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { textRules } from '#/resource/form/textRules.ts'
import { TextField } from '#/ui/field/TextField.tsx'
import { DescriptionControl } from '#/ui/form/DescriptionControl.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { loginPath, urlProblem } from '../form.ts'
import { addressesFor, scopesProblem, type OidcForm } from './form.ts'

const rules = (field: 'issuer' | 'clientId' | 'clientSecret' | 'groupsClaim') =>
  textRules(oidcIdentityProviderCreate, field)
const follows = 'It follows the name.'

/** `issuer` is that of a provider that exists, whose secret stays unless another is given. */
export function OidcControls({
  silo,
  form: { control },
  issuer,
}: {
  silo: string
  form: UseFormReturn<OidcForm>
  issuer?: string
}) {
  const name = useWatch({ control, name: 'name' })
  const { redirect, logout } = addressesFor(silo, name, window.location)
  return (
    <>
      <NameControl name="name" control={control} hint={`Users sign in at ${loginPath(silo, name, 'oidc')}`} />
      <DescriptionControl name="description" control={control} />
      <h3 className="border-t border-line-faint pt-4 font-semibold">For its administrator</h3>
      <Address label="Redirect URI" value={redirect} />
      <Address label="Back-channel logout URI" value={logout} />
      <h3 className="border-t border-line-faint pt-4 font-semibold">Identity provider</h3>
      <TextControl
        name="issuer"
        label="Issuer"
        control={control}
        {...rules('issuer')}
        required
        validate={urlProblem}
        hint="Its metadata is read now, and again every day."
      />
      <TextControl name="clientId" label="Client ID" control={control} {...rules('clientId')} required />
      <TextControl
        name="clientSecret"
        label="Client secret"
        control={control}
        {...rules('clientSecret')}
        required={issuer === undefined}
        type="password"
        autoComplete="off"
        hint={
          issuer === undefined
            ? 'It is never shown again.'
            : 'The present one stays unless you enter another.'
        }
        validate={(secret, values) =>
          issuer !== undefined && secret === '' && values.issuer.trim() !== issuer
            ? 'Enter the secret for the new issuer'
            : undefined
        }
      />
      <TextControl
        name="scopes"
        label="Scopes"
        control={control}
        validate={scopesProblem}
        hint="Separated by spaces."
      />
      <h3 className="border-t border-line-faint pt-4 font-semibold">Users</h3>
      <TextControl
        name="nameClaim"
        label="Name claim"
        control={control}
        {...textRules(oidcIdentityProviderCreate, 'nameClaim')}
        required
        hint="The claim that names a user. A user with another name is another user."
      />
      <TextControl
        name="groupsClaim"
        label="Groups claim"
        control={control}
        {...rules('groupsClaim')}
        hint="The claim that lists the groups of a user."
      />
    </>
  )
}

const Address = ({ label, value }: { label: string; value: string }) => (
  <TextField
    label={label}
    required
    mono
    copyable
    value={value}
    onChange={() => undefined}
    disabledReason={follows}
  />
)
