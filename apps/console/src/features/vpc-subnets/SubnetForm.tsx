import { useQuery } from '@tanstack/react-query'
import { subnetsQuery } from '#/features/vpc-names/queries.ts'
import { RouterFields } from '#/features/vpc-routers/RouterFields.tsx'
import { noRouter, routerOf } from '#/features/vpc-routers/queries.ts'
import type { VpcTarget } from '#/lib/addresses.ts'
import { CreateForm, type CreateFormProps } from '#/resource/form/CreateForm.tsx'
import type { FormValues } from '#/resource/form/IdentityControls.tsx'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { validateBlock } from './blocks.ts'

const empty = {
  name: '',
  description: '',
  ipv4Block: '',
  ipv6Block: '',
  customRouter: noRouter,
  newRouter: '',
}

export interface SubnetFormProps extends Pick<
  CreateFormProps<'vpcSubnet', typeof kinds.vpcSubnet.create, FormValues>,
  'onCreated' | 'onDismiss' | 'animate'
> {
  scope: VpcTarget
}

/** The form of a new subnet of a VPC. */
export function SubnetForm({ scope, ...rest }: SubnetFormProps) {
  const { project, vpc } = scope
  const subnets = useQuery({ ...subnetsQuery(project, vpc), throwOnError: false }).data ?? []
  const { ipv6Prefix } = useQuery({ ...viewQuery(kinds.vpc, vpc, scope), throwOnError: false }).data ?? {}
  const known = { ipv6Prefix, subnets }
  return (
    <CreateForm
      kind={kinds.vpcSubnet}
      scope={scope}
      values={empty}
      toBody={async ({ name, description, ipv4Block, ipv6Block, ...router }, form) => ({
        name,
        description,
        ipv4Block: ipv4Block.trim(),
        ...(ipv6Block.trim() === '' ? {} : { ipv6Block: ipv6Block.trim() }),
        ...(await routerOf(router, scope, (id) => form.setValue('customRouter', id))),
      })}
      {...rest}
    >
      {(form) => (
        <>
          <hr className="border-line-faint" />
          <TextControl
            name="ipv4Block"
            control={form.control}
            label="IPv4 block"
            required
            mono
            hint="A private range, for example 10.0.0.0/24"
            validate={validateBlock(4, known)}
          />
          <TextControl
            name="ipv6Block"
            control={form.control}
            label="IPv6 block"
            mono
            hint={`A /64${ipv6Prefix ? ` of ${ipv6Prefix}` : ' of the VPC'}. If left blank, a free one is chosen.`}
            validate={(text) => (text.trim() === '' ? undefined : validateBlock(6, known)(text))}
          />
          <hr className="border-line-faint" />
          <RouterFields control={form.control} scope={scope} canMakeOne />
        </>
      )}
    </CreateForm>
  )
}
