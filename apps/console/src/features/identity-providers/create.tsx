import {
  samlIdentityProviderCreate,
  siloIdentityProviderList,
} from '@purlin/contract/operations/silos/identity-providers'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useForm, useWatch, type UseFormReturn } from 'react-hook-form'
import { invalidate } from '#/api/query.ts'
import { send } from '#/api/send.ts'
import { paths } from '#/lib/addresses.ts'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { ResourceForm } from '#/resource/form/ResourceForm.tsx'
import { textRules } from '#/resource/form/textRules.ts'
import { useSiloAdminReason } from '#/resource/role/useSiloAdminReason.ts'
import { addToast } from '#/ui/feedback/toast.ts'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { CheckboxControl } from '#/ui/form/CheckboxControl.tsx'
import { DescriptionControl } from '#/ui/form/DescriptionControl.tsx'
import { FileControl } from '#/ui/form/FileControl.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { RadioGroupControl } from '#/ui/form/RadioGroupControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { TextField } from '#/ui/field/TextField.tsx'
import {
  emailProblem,
  emptyProvider,
  fileProblem,
  loginPath,
  mostMetadata,
  mostOfKey,
  pairProblem,
  providerBody,
  standardAcsUrl,
  urlProblem,
  type ProviderForm,
} from './form.ts'

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/_idps/idps-new')({
  ...formRoute('New identity provider'),
  component: CreateProvider,
})

const rules = (
  field: 'spClientId' | 'acsUrl' | 'sloUrl' | 'idpEntityId' | 'technicalContactEmail' | 'groupAttributeName',
) => textRules(samlIdentityProviderCreate, field)

function CreateProvider() {
  const { silo } = Route.useParams()
  const navigate = useNavigate()
  const form = useForm<ProviderForm>({ defaultValues: emptyProvider })
  const close = () => navigate({ href: paths.siloTab(silo, 'idps'), ignoreBlocker: true })
  const submit = async (values: ProviderForm) => {
    const standard = standardAcsUrl(silo, values.name, window.location.hostname)
    const body = await providerBody(values, values.hasStandardAcsUrl ? standard : values.acsUrl)
    const { name } = await send(samlIdentityProviderCreate, { query: { silo }, body })
    void invalidate(siloIdentityProviderList)
    addToast({ content: `IdP ${name} created` })
    await close()
  }
  return (
    <ResourceForm
      title="Create identity provider"
      submitLabel="Create provider"
      form={form}
      onSubmit={submit}
      onDismiss={() => void close()}
      submitDisabledReason={useSiloAdminReason(silo)}
    >
      <Notice>
        Users of this silo sign in with the provider. Its administrator needs the client ID and the ACS URL.
      </Notice>
      <About silo={silo} form={form} />
      <Heading>Service provider</Heading>
      <Service silo={silo} form={form} />
      <Heading>Request signing</Heading>
      <Signing form={form} />
      <Heading>Identity provider</Heading>
      <Source form={form} />
    </ResourceForm>
  )
}

const Heading = ({ children }: { children: string }) => (
  <h3 className="border-t border-line-faint pt-4 font-semibold">{children}</h3>
)

interface Part {
  form: UseFormReturn<ProviderForm>
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

function Signing({ form: { control } }: Part) {
  return (
    <>
      <FileControl
        name="publicCert"
        label="Public certificate"
        control={control}
        hint="An X.509 certificate in DER."
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

const sources = [
  { value: 'url', label: 'URL' },
  { value: 'xml', label: 'XML' },
]

function Source({ form: { control } }: Part) {
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
      <RadioGroupControl name="source" label="Metadata source" control={control} required options={sources} />
      {source === 'url' ? (
        <TextControl
          name="metadataUrl"
          label="Metadata source URL"
          control={control}
          required
          validate={urlProblem}
          hint="It is read now, and again every day."
        />
      ) : (
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
