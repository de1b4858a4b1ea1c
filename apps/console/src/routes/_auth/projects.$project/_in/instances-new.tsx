import { antiAffinityGroupMemberList } from '@purlin/contract/operations/affinity'
import { instanceCreate, instanceList, instanceView } from '@purlin/contract/operations/instances'
import { floatingIpList } from '@purlin/contract/operations/networks'
import { diskList } from '@purlin/contract/operations/disks'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import Server from 'lucide-react/icons/server'
import { useState } from 'react'
import { useForm, type UseFormReturn, useWatch } from 'react-hook-form'
import { invalidate, remember } from '../../../../api.ts'
import { errorMessage, send } from '../../../../send.ts'
import { useProjectRole } from '../../../../parts/access/useProjectRole.ts'
import { useUtilization } from '../../../../parts/quota.ts'
import { FullPageForm } from '../../../../parts/FullPageForm.tsx'
import { guides, paths } from '../../../../paths.ts'
import { DocsPopover } from '../../../../ui/DocsPopover.tsx'
import { Highlight } from '../../../../ui/Highlight.tsx'
import { PageHeader } from '../../../../ui/PageHeader.tsx'
import { addToast } from '../../../../ui/toast.ts'
import { AdditionalDisks } from './-instance-create/AdditionalDisks.tsx'
import { Advanced } from './-instance-create/Advanced.tsx'
import { Authentication } from './-instance-create/Authentication.tsx'
import { BootDisk } from './-instance-create/BootDisk.tsx'
import { loadOffers, useOffers } from './-instance-create/data.ts'
import { startForm, type InstanceForm } from './-instance-create/form.ts'
import { General } from './-instance-create/General.tsx'
import { Hardware } from './-instance-create/Hardware.tsx'
import { Networking } from './-instance-create/Networking.tsx'
import { needOf, quotaWarning } from './-instance-create/quota.ts'
import { QuotaPanel } from './-instance-create/QuotaPanel.tsx'
import { fieldLabels } from './-instance-create/sections.ts'
import { refusedField } from './-instance-create/refused.ts'
import { toBody } from './-instance-create/toBody.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/instances-new')({
  loader: ({ params }) => loadOffers(params.project),
  staticData: { crumb: { label: 'New instance' } },
  component: CreateInstance,
})

function CreateInstance() {
  const { project } = Route.useParams()
  const navigate = useNavigate()
  const offers = useOffers(project)
  // The form keeps what it opened with: an answer that comes later must not change what a person sees chosen.
  const [defaultValues] = useState(() => startForm(offers))
  const form = useForm<InstanceForm>({ defaultValues, shouldFocusError: false })
  const role = useProjectRole(project)
  const create = async (values: InstanceForm) => {
    const images = [...offers.siloImages, ...offers.projectImages]
    const userData = await values.userData?.arrayBuffer().catch((error: unknown) => {
      form.setError('userData', { message: errorMessage(error) })
      throw error
    })
    const body = toBody(values, { images, ...(userData ? { userData: new Uint8Array(userData) } : {}) })
    const instance = await send(instanceCreate, { query: { project }, body }).catch((error: unknown) => {
      const refused = refusedField(error, values)
      if (refused?.field) form.setError(refused.field, { message: errorMessage(refused.error) })
      throw refused?.error ?? error
    })
    remember(instanceView, { params: { instance: instance.name }, query: { project } }, instance)
    void invalidate(instanceList, diskList, floatingIpList, antiAffinityGroupMemberList)
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
          summary="An instance is a virtual machine: some of a sled’s computing and memory, disks to keep its data, and interfaces to the project’s networks."
          links={[guides.instances, guides.quickStart, guides.remoteAccess]}
        />
      </PageHeader>
      <FullPageForm
        form={form}
        submitLabel="Create instance"
        onSubmit={create}
        onCancel={() => void navigate({ href: paths.instances(project) })}
        submitDisabledReason={role.lacks('collaborator')}
        fields={fieldLabels}
        notice={<QuotaNotice form={form} />}
      >
        <div className="grid max-w-[72rem] justify-between gap-x-10 min-[80rem]:grid-cols-[minmax(0,44rem)_18rem]">
          <div className="max-w-[44rem] min-w-0">
            <General form={form} />
            <Hardware form={form} />
            <BootDisk form={form} offers={offers} project={project} />
            <AdditionalDisks form={form} offers={offers} project={project} />
            <Authentication form={form} offers={offers} project={project} />
            <Networking form={form} offers={offers} project={project} />
            <Advanced form={form} project={project} />
          </div>
          <aside aria-label="Silo quota" className="sticky top-6 self-start max-[80rem]:hidden">
            <QuotaPanel form={form} />
          </aside>
        </div>
      </FullPageForm>
    </>
  )
}

/** Said before submitting: the silo has not enough left. */
function QuotaNotice({ form }: { form: UseFormReturn<InstanceForm> }) {
  const need = useWatch({ control: form.control, compute: needOf })
  const warning = quotaWarning(need, useUtilization())
  return (
    <p role="status" className="text-busy not-empty:mb-2.5">
      {warning}
    </p>
  )
}
