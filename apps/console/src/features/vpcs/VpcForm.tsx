import { validateVpcPrefix } from '#/lib/input/ip.ts'
import { CreateForm, type CreateFormProps } from '#/resource/form/CreateForm.tsx'
import type { FormValues } from '#/resource/form/IdentityControls.tsx'
import { kinds } from '#/resource/kinds.ts'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'

export type VpcFormProps = Pick<
  CreateFormProps<'vpc', typeof kinds.vpc.create, FormValues>,
  'scope' | 'onCreated' | 'onDismiss' | 'animate'
>

/** The form of a new VPC, in the project of the address unless `scope` names one. */
export const VpcForm = (props: VpcFormProps) => (
  <CreateForm
    kind={kinds.vpc}
    values={{ name: '', description: '', dnsName: '', ipv6Prefix: '' }}
    toBody={({ ipv6Prefix, ...body }) => ({
      ...body,
      ...(ipv6Prefix.trim() === '' ? {} : { ipv6Prefix: ipv6Prefix.trim() }),
    })}
    {...props}
  >
    {({ control }) => (
      <>
        <NameControl name="dnsName" control={control} label="DNS name" />
        <TextControl
          name="ipv6Prefix"
          control={control}
          label="IPv6 prefix"
          mono
          hint="A unique local /48, such as fd12:3456:789a::/48. If left blank, a random one is used."
          validate={validateVpcPrefix}
        />
      </>
    )}
  </CreateForm>
)
