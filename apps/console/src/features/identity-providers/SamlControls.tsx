/** The fields of an identity provider with SAML 2.0. */
import { samlIdentityProviderCreate } from '@purlin/contract/operations/silos/identity-providers'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { textRules } from '#/resource/form/textRules.ts'
import { CheckboxControl } from '#/ui/form/CheckboxControl.tsx'
import { DescriptionControl } from '#/ui/form/DescriptionControl.tsx'
import { FileControl } from '#/ui/form/FileControl.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { RadioGroupControl } from '#/ui/form/RadioGroupControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { TextField } from '#/ui/field/TextField.tsx'
import {
  emailProblem,
  fileProblem,
  loginPath,
  mostMetadata,
  mostOfKey,
  pairProblem,
  standardAcsUrl,
  urlProblem,
  type ProviderForm,
} from './form.ts'

const rules = (
  field: 'spClientId' | 'acsUrl' | 'sloUrl' | 'idpEntityId' | 'technicalContactEmail' | 'groupAttributeName',
) => textRules(samlIdentityProviderCreate, field)

const Heading = ({ children }: { children: string }) => (
  <h3 className="border-t border-line-faint pt-4 font-semibold">{children}</h3>
)

interface Part {
  form: UseFormReturn<ProviderForm>
  /** True for a provider that exists, whose metadata and key stay unless others are given. */
  exists?: boolean
}

export function SamlControls({ silo, form, exists = false }: Part & { silo: string }) {
  return (
    <>
      <About silo={silo} form={form} />
      <Heading>Service provider</Heading>
      <Service silo={silo} form={form} />
      <Heading>Request signing</Heading>
      <Signing form={form} exists={exists} />
      <Heading>Identity provider</Heading>
      <Source form={form} exists={exists} />
    </>
  )
}

function About({ silo, form: { control } }: Part & { silo: string }) {
  const name = useWatch({ control, name: 'name' })
  return (
    <>
      <NameControl name="name" control={control} hint={`Users sign in at ${loginPath(silo, name)}`} />
      <DescriptionControl name="description" control={control} />
      <TextControl
        name="technicalContactEmail"
        label="Technical contact email"
        control={control}
        {...rules('technicalContactEmail')}
        required
        validate={emailProblem}
      />
    </>
  )
}

function Service({ silo, form: { control, setValue } }: Part & { silo: string }) {
  const [name, isStandard] = useWatch({ control, name: ['name', 'hasStandardAcsUrl'] })
  const standard = standardAcsUrl(silo, name, window.location.hostname)
  return (
    <>
      <TextControl
        name="spClientId"
        label="Service provider client ID"
        control={control}
        {...rules('spClientId')}
        required
        hint="The entity ID of this service: the issuer of its requests and the audience of answers."
      />
      {isStandard ? (
        <TextField
          label="ACS URL"
          required
          mono
          copyable
          value={standard}
          onChange={() => undefined}
          disabledReason="It follows the name while the standard URL is used."
        />
      ) : (
        <TextControl
          name="acsUrl"
          label="ACS URL"
          control={control}
          {...rules('acsUrl')}
          required
          mono
          copyable
          validate={urlProblem}
        />
      )}
      <CheckboxControl
        name="hasStandardAcsUrl"
        control={control}
        label="Use standard ACS URL"
        onValue={(uses) => uses || setValue('acsUrl', standard)}
      />
      <TextControl
        name="sloUrl"
        label="Single Logout (SLO) URL"
        control={control}
        {...rules('sloUrl')}
        required
        validate={urlProblem}
        hint="Where the provider ends sessions of this service. It is only stored."
      />
    </>
  )
}

function Signing({ form: { control }, exists }: Part) {
  return (
    <>
      <FileControl
        name="publicCert"
        label="Public certificate"
        control={control}
        hint={`An X.509 certificate in DER.${exists ? ' The present one stays without another.' : ''}`}
        validate={(file, { privateKey }) => fileProblem(file, mostOfKey) ?? pairProblem(file, privateKey)}
      />
      <FileControl
        name="privateKey"
        label="Private key"
        control={control}
        hint="Its RSA key in DER. It is never shown again."
        validate={(file, { publicCert }) => fileProblem(file, mostOfKey) ?? pairProblem(file, publicCert)}
      />
    </>
  )
}

const newSources = [
  { value: 'url', label: 'URL' },
  { value: 'xml', label: 'XML' },
]
const keptSources = [{ value: 'keep', label: 'Keep' }, ...newSources]

function Source({ form: { control }, exists }: Part) {
  const source = useWatch({ control, name: 'source' })
  return (
    <>
      <TextControl
        name="idpEntityId"
        label="Entity ID"
        control={control}
        {...rules('idpEntityId')}
        required
        hint="The issuer of the provider's answers."
      />
      <TextControl
        name="groupAttributeName"
        label="Group attribute name"
        control={control}
        {...rules('groupAttributeName')}
        hint="The attribute that lists the groups of a user."
      />
      <RadioGroupControl
        name="source"
        label="Metadata source"
        control={control}
        required
        options={exists ? keptSources : newSources}
      />
      {source === 'url' && (
        <TextControl
          name="metadataUrl"
          label="Metadata source URL"
          control={control}
          required
          validate={urlProblem}
          hint="It is read now, and again every day."
        />
      )}
      {source === 'xml' && (
        <FileControl
          name="metadataXml"
          label="Metadata source XML"
          control={control}
          required
          accept=".xml"
          validate={(file) => fileProblem(file, mostMetadata)}
        />
      )}
    </>
  )
}
