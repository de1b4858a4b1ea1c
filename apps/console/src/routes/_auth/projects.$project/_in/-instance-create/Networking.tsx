import { useWatch } from 'react-hook-form'
import { withoutNic } from '../../../../../parts/instance/externalIps.ts'
import { noPools, poolChoices } from '../../../../../parts/network/pools.tsx'
import { CheckboxField } from '../../../../../ui/field/CheckboxField.tsx'
import { CheckboxControl } from '../../../../../ui/form/CheckboxControl.tsx'
import { ListboxControl } from '../../../../../ui/form/ListboxControl.tsx'
import { RadioGroupControl } from '../../../../../ui/form/RadioGroupControl.tsx'
import { FloatingIps } from './FloatingIps.tsx'
import { hasDefaultVpc } from './form.ts'
import { FormGroup, FormSection } from './FormSection.tsx'
import { Nics } from './Nics.tsx'
import { hasNetwork } from './rules.ts'
import type { SectionProps } from './sections.ts'
import { Notice } from '../../../../../ui/Notice.tsx'

const allocate = 'Allocate and attach an ephemeral IP address'

export function Networking({ form, offers, project }: SectionProps) {
  const { control } = form
  const network = useWatch({ control, name: 'network' })
  const lacksDefault = hasDefaultVpc(offers) ? undefined : 'The project has no VPC named ‘default’'
  const blocked = hasNetwork({ network }) ? undefined : withoutNic
  return (
    <FormSection title="Networking">
      {offers.vpcs.length === 0 && (
        <Notice>
          The project has no VPC, so an instance can be created but not connected. Interfaces can be added
          once there is one.
        </Notice>
      )}
      <RadioGroupControl
        name="network"
        control={control}
        label="Network interface"
        required
        onValue={() => form.clearErrors(['nics', 'pool', 'floatingIps'])}
        options={[
          { value: 'none', label: 'None', description: 'Reachable through its serial console only.' },
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
      {network === 'custom' && <Nics form={form} offers={offers} project={project} />}
      <EphemeralIp form={form} offers={offers} blocked={blocked} />
      <FloatingIps form={form} offers={offers} blocked={blocked} />
    </FormSection>
  )
}

type AddressProps = Pick<SectionProps, 'form' | 'offers'> & { blocked: string | undefined }

function EphemeralIp({ form, offers, blocked }: AddressProps) {
  const { control } = form
  const isOn = useWatch({ control, name: 'ephemeral' })
  const reason = blocked ?? (offers.pools.length === 0 ? noPools : undefined)
  const recount = () => {
    form.clearErrors('pool')
    if (form.formState.isSubmitted) void form.trigger('floatingIps')
  }
  return (
    <FormGroup
      title="Ephemeral IP"
      tip="An address from outside that is given to the instance when it is created and taken back when it is deleted."
    >
      {reason ? (
        // The choice is kept for later, but nothing is ticked that will not be sent.
        <CheckboxField label={allocate} checked={false} onChange={() => undefined} disabledReason={reason} />
      ) : (
        <CheckboxControl name="ephemeral" control={control} label={allocate} onValue={recount} />
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
