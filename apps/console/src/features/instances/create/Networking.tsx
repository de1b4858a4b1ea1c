import { useWatch } from 'react-hook-form'
import { withoutNic } from '#/features/external-ips/externalIps.ts'
import { poolChoices } from '#/features/ip-pools/pools.tsx'
import { CheckboxField } from '#/ui/field/CheckboxField.tsx'
import { CheckboxControl } from '#/ui/form/CheckboxControl.tsx'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'
import { RadioGroupControl } from '#/ui/form/RadioGroupControl.tsx'
import { lazily } from '#/lib/lazily.tsx'
import { FloatingIps } from './FloatingIps.tsx'
import { hasDefaultVpc } from './values/form.ts'
import { FormGroup, FormSection } from './FormSection.tsx'
import { Nics } from './Nics.tsx'
import { hasNetwork } from './values/rules.ts'
import type { SectionProps } from './values/sections.ts'
import { Notice } from '#/ui/feedback/Notice.tsx'

// Few projects lack one.
const MissingPool = lazily(() => import('#/features/ip-pools/MissingPool.tsx'), 'MissingPool')
const MissingVpc = lazily(() => import('#/features/vpcs/MissingVpc.tsx'), 'MissingVpc')

const allocate = 'Allocate and attach an ephemeral IP address'

export function Networking({ form, offers, project }: SectionProps) {
  const { control } = form
  const network = useWatch({ control, name: 'network' })
  const lacksDefault = hasDefaultVpc(offers) ? undefined : 'The project has no VPC named ‘default’'
  const blocked = hasNetwork({ network }) ? undefined : withoutNic
  return (
    <FormSection title="Networking">
      {lacksDefault &&
        (offers.vpcs.length === 0 ? (
          <MissingVpc
            project={project}
            onMade={(name) =>
              form.setValue('network', name === 'default' ? 'default' : 'custom', { shouldDirty: true })
            }
          >
            The project has no VPC, so the instance is created without a network interface. Interfaces can be
            added once there is a VPC.
          </MissingVpc>
        ) : (
          <Notice>
            {lacksDefault}, so no network interface is selected. To connect the instance to another VPC,
            select Custom.
          </Notice>
        ))}
      <RadioGroupControl
        name="network"
        control={control}
        label="Network interface"
        required
        onValue={() => form.clearErrors(['nics', 'pool', 'floatingIps'])}
        options={[
          {
            value: 'none',
            label: 'None',
            description: 'The instance can only be reached through its serial console.',
          },
          {
            value: 'default',
            label: 'Default',
            description: 'One interface in the subnet ‘default’ of the VPC ‘default’.',
            disabledReason: lacksDefault,
          },
          {
            value: 'custom',
            label: 'Custom',
            description: 'Interfaces in the VPC and subnets of your choice.',
          },
        ]}
      />
      {network === 'custom' && <Nics form={form} project={project} />}
      <EphemeralIp form={form} offers={offers} blocked={blocked} />
      <FloatingIps form={form} project={project} blocked={blocked} />
    </FormSection>
  )
}

type AddressProps = Pick<SectionProps, 'form' | 'offers'> & { blocked: string | undefined }

function EphemeralIp({ form, offers, blocked }: AddressProps) {
  const { control } = form
  const isOn = useWatch({ control, name: 'ephemeral' })
  const hasNoPool = offers.pools.length === 0
  const reason = blocked ?? (hasNoPool ? 'The silo has no IP pool' : undefined)
  const recount = () => {
    form.clearErrors('pool')
    if (form.formState.isSubmitted) void form.trigger('floatingIps')
  }
  return (
    <FormGroup
      title="Ephemeral IP"
      tip="An external address that is allocated when the instance is created and released when it is deleted."
    >
      {reason ? (
        // The form keeps the value, but the checkbox shows what will be submitted.
        <CheckboxField label={allocate} checked={false} onChange={() => undefined} disabledReason={reason} />
      ) : (
        <CheckboxControl name="ephemeral" control={control} label={allocate} onValue={recount} />
      )}
      {hasNoPool && (
        <MissingPool
          onMade={(pool) => {
            form.setValue('pool', pool)
            form.setValue('ephemeral', true, { shouldDirty: true })
          }}
        />
      )}
      {isOn && !reason && (
        <ListboxControl
          name="pool"
          control={control}
          label="IP pool for ephemeral IP"
          required
          placeholder="Select a pool"
          className="pl-[23px]"
          items={poolChoices(offers.pools)}
        />
      )}
    </FormGroup>
  )
}
