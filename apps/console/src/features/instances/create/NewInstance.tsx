import { antiAffinityGroupMemberList } from '@purlin/contract/operations/instances/affinity-groups'
import { diskList } from '@purlin/contract/operations/storage/disks'
import { floatingIpList } from '@purlin/contract/operations/addresses/floating-ips'
import {
  instanceCreate,
  instanceList,
  instanceListOfSilo,
  instanceView,
} from '@purlin/contract/operations/instances/instances'
import { useNavigate } from '@tanstack/react-router'
import Server from 'lucide-react/icons/server'
import { useDeferredValue, useState } from 'react'
import { useForm, type UseFormReturn, useWatch } from 'react-hook-form'
import { invalidate, load, remember } from '#/api/query.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { useUtilization } from '#/features/utilization/quota.ts'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { FullPageForm } from '#/resource/form/FullPageForm.tsx'
import { guides, paths, sections } from '#/lib/addresses.ts'
import { randomHex } from '#/lib/input/names.ts'
import { DocsPopover } from '#/ui/overlay/DocsPopover.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { AdditionalDisks } from './AdditionalDisks.tsx'
import { Advanced } from './Advanced.tsx'
import { Authentication } from './Authentication.tsx'
import { BootDisk } from './BootDisk.tsx'
import { type AllOffers, useOffers } from './values/data.ts'
import { startForm, type InstanceForm } from './values/form.ts'
import { General } from './General.tsx'
import { Hardware } from './Hardware.tsx'
import { Networking } from './Networking.tsx'
import { needOf, quotaWarning } from './values/quota.ts'
import { QuotaPanel } from './QuotaPanel.tsx'
import { fieldLabels, type SectionProps } from './values/sections.ts'
import { failedField } from './values/failedField.ts'
import { userDataOf } from './user-data/userData.ts'
import { bootSourceOf, toBody } from './values/toBody.ts'

// The name of an image that was just chosen is known.
const minute = 60_000

export interface NewInstanceProps {
  project: string
  /** The initial values of the form, and a note about them; the defaults otherwise. */
  filled?: { values: (offers: AllOffers) => InstanceForm; note: string }
}

/** The form of a new instance. Its route has loaded the offers. */
export function NewInstance({ project, filled }: NewInstanceProps) {
  const navigate = useNavigate()
  const offers = useOffers(project)
  // Defaults are computed once: data that is loaded later must not change selected values.
  const [defaultValues] = useState(() => (filled?.values ?? startForm)(offers))
  const form = useForm<InstanceForm>({ defaultValues, shouldFocusError: false })
  const role = useRole(project)
  // One for the form, so that the request that is shown is the one that is sent.
  const [hex] = useState(randomHex)
  const request = async (values: InstanceForm) => {
    const source = bootSourceOf(values)
    const read = () =>
      values.boot === 'bootSnapshot'
        ? load({ ...viewQuery(kinds.snapshot, source), staleTime: minute })
        : load({ ...viewQuery(kinds.image, source), staleTime: minute })
    const sources = source === '' ? [] : [await read()]
    const userData = await userDataOf(values)
    const known = { sources, hex: () => hex, ...(userData ? { userData } : {}) }
    const body = toBody(values, known)
    return requestTo(instanceCreate, { query: { project }, body })
  }
  const create = async (values: InstanceForm) => {
    const instance = await sendRequest(await request(values))
    remember(instanceView, { params: { instance: instance.name }, query: { project } }, instance)
    void invalidate(instanceList, instanceListOfSilo, diskList, floatingIpList, antiAffinityGroupMemberList)
    addToast({
      content: (
        <>
          Instance <Highlight>{instance.name}</Highlight> created
        </>
      ),
    })
    await navigate({ href: paths.instance({ project, instance: instance.name }), ignoreBlocker: true })
  }
  return (
    <>
      <PageHeader icon={<Server />} title="Create instance">
        <DocsPopover
          topic="instances"
          icon={<Server />}
          summary="An instance is a virtual machine with vCPUs, memory, disks and interfaces to the project’s networks."
          links={[guides.instances, guides.quickStart, guides.remoteAccess]}
        />
      </PageHeader>
      <FullPageForm
        form={form}
        draft="instance"
        submitLabel="Create instance"
        onSubmit={create}
        fieldOf={failedField}
        request={request}
        onCancel={() => void navigate({ href: sections.instance.list(project) })}
        submitDisabledReason={role.lacks('collaborator')}
        fields={fieldLabels}
        notice={<QuotaNotice form={form} />}
      >
        <div className="grid max-w-[72rem] justify-between gap-x-10 min-[80rem]:grid-cols-[minmax(0,44rem)_18rem]">
          <div className="max-w-[44rem] min-w-0">
            {filled && <p className="mb-5 text-secondary">{filled.note}</p>}
            <General form={form} />
            <Hardware form={form} sizes={offers.sizes} />
            <BootDisk form={form} offers={offers} project={project} />
            <LowerSections form={form} offers={offers} project={project} />
          </div>
          <aside aria-label="Silo quota" className="sticky top-6 self-start max-[80rem]:hidden">
            <QuotaPanel form={form} />
          </aside>
        </div>
      </FullPageForm>
    </>
  )
}

/** The part below the fold of most screens: rendered after the rest is shown, in slices. */
function LowerSections(props: SectionProps) {
  const isDue = useDeferredValue(true, false)
  if (!isDue) return null
  return (
    <>
      <AdditionalDisks {...props} />
      <Authentication {...props} />
      <Networking {...props} />
      <Advanced {...props} />
    </>
  )
}

/** Warns before submitting that the silo does not have enough free quota. */
function QuotaNotice({ form }: { form: UseFormReturn<InstanceForm> }) {
  const need = useWatch({ control: form.control, compute: needOf })
  const warning = quotaWarning(need, useUtilization())
  return (
    <p role="status" className="text-busy not-empty:mb-2.5">
      {warning}
    </p>
  )
}
