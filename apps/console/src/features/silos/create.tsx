import { ApiError } from '@purlin/contract/client'
import { siloCreate } from '@purlin/contract/operations/silos/system-silos'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { useController, useWatch, type Control } from 'react-hook-form'
import { errorMessage } from '#/api/errors.ts'
import { wrongFile, type CertificateBody } from '#/features/certificates/form.ts'
import { CreateForm } from '#/resource/form/CreateForm.tsx'
import { roleScope } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { useRole } from '#/resource/role/useRole.ts'
import { textRules } from '#/resource/form/textRules.ts'
import { CheckboxControl } from '#/ui/form/CheckboxControl.tsx'
import { RadioGroupControl } from '#/ui/form/RadioGroupControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { QuotaControls, quotasToBody, type Quotas } from './QuotaControls.tsx'
import { TlsCertificates } from './TlsCertificates.tsx'
import { modes } from './words.ts'
import { type Identity } from '#/resource/form/IdentityControls.tsx'

export const Route = createFileRoute('/_auth/system/_silo-pages/_silos/silos-new')({
  ...formRoute('New silo'),
  component: CreateSilo,
})

type Mode = 'saml_jit' | 'saml_scim' | 'local_only'
interface Filled extends Identity, Quotas {
  discoverable: boolean
  identityMode: Mode
  adminGroupName: string
  mapsAdmins: boolean
  mapsViewers: boolean
  certificates: CertificateBody[]
}
const empty: Filled = {
  name: '',
  description: '',
  discoverable: true,
  cpuQuota: 0,
  memoryQuota: 0,
  storageQuota: 0,
  identityMode: 'local_only',
  adminGroupName: '',
  mapsAdmins: false,
  mapsViewers: false,
  certificates: [],
}

function toBody(values: Filled) {
  const { name, description, discoverable, identityMode, mapsAdmins, mapsViewers } = values
  const adminGroupName = identityMode === 'local_only' ? '' : values.adminGroupName.trim()
  return {
    name,
    description,
    discoverable,
    identityMode,
    quotas: quotasToBody(values),
    mappedFleetRoles: {
      ...(mapsAdmins ? { admin: ['admin' as const] } : {}),
      ...(mapsViewers ? { viewer: ['viewer' as const] } : {}),
    },
    tlsCertificates: values.certificates,
    ...(adminGroupName === '' ? {} : { adminGroupName }),
  }
}

function CreateSilo() {
  const { lacks } = useRole(...roleScope(kinds.silo, {}))
  const mappingReason = lacks('admin')
  const [refused, setRefused] = useState<Refused>()
  return (
    <CreateForm
      kind={kinds.silo}
      values={empty}
      toBody={toBody}
      onError={(error) => setRefused(refusedIn(error))}
    >
      {({ control, setValue }) => (
        <>
          <CheckboxControl name="discoverable" control={control} label="Discoverable" />
          <QuotaControls control={control} />
          <NothingNotice control={control} />
          <RadioGroupControl
            name="identityMode"
            control={control}
            required
            options={modes}
            onValue={(mode) => mode === 'local_only' && setValue('adminGroupName', '')}
          />
          <FirstUsers control={control} />
          <AdminGroup control={control} />
          <CheckboxControl
            name="mapsAdmins"
            control={control}
            label="Grant fleet admin role to silo admins"
            disabledReason={mappingReason}
          />
          <CheckboxControl
            name="mapsViewers"
            control={control}
            label="Grant fleet viewer role to silo viewers"
            disabledReason={mappingReason}
          />
          <Certificates control={control} refused={refused} onChange={() => setRefused(undefined)} />
        </>
      )}
    </CreateForm>
  )
}

interface Refused {
  index: number
  reason: string
}

/** The certificate that the server has refused, and why. */
function refusedIn(error: unknown): Refused | undefined {
  const entry = error instanceof ApiError ? error.entry : undefined
  if (entry?.list !== 'tls_certificates') return undefined
  return { index: entry.index, reason: wrongFile(error) ?? errorMessage(error) }
}

function Certificates({
  control,
  refused,
  onChange,
}: {
  control: Control<Filled>
  refused: Refused | undefined
  onChange: () => void
}) {
  const { field } = useController({ control, name: 'certificates' })
  const silo = useWatch({ control, name: 'name' })
  const change = (rows: CertificateBody[]) => {
    onChange()
    field.onChange(rows)
  }
  return <TlsCertificates silo={silo} rows={field.value} onChange={change} refused={refused} />
}

/** A warning about a silo in which no instance can be started and no disk stored. */
function NothingNotice({ control }: { control: Control<Filled> }) {
  const quotas = useWatch({ control, name: ['cpuQuota', 'memoryQuota', 'storageQuota'] })
  if (quotas.some((quota) => quota > 0)) return null
  return (
    <Notice>With quotas of 0, nothing can be started or stored in the silo. They can be raised later.</Notice>
  )
}

const groupHints: Record<Exclude<Mode, 'local_only'>, string> = {
  saml_jit: 'Members of this group are admins of the silo. It is created with the silo.',
  saml_scim: 'The silo does not create this group: the program that manages its users does.',
}

/** How the first person can sign in to the silo. */
function FirstUsers({ control }: { control: Control<Filled> }) {
  const mode = useWatch({ control, name: 'identityMode' })
  return (
    <Notice>
      {mode === 'local_only'
        ? 'Next, create the users of the silo on its page, under Users, and make one of them an admin under Access.'
        : 'No one can sign in to the silo until it has an identity provider. Add one on its page, under Identity Providers.'}
    </Notice>
  )
}

/** Local users are in no group that an identity provider names. */
function AdminGroup({ control }: { control: Control<Filled> }) {
  const mode = useWatch({ control, name: 'identityMode' })
  if (mode === 'local_only') return null
  return (
    <TextControl
      name="adminGroupName"
      control={control}
      {...textRules(siloCreate, 'adminGroupName')}
      hint={groupHints[mode]}
    />
  )
}
