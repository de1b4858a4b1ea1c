import { pageOf } from '#/resource/address/pageOf.ts'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { validateVpcPrefix } from '#/lib/input/ip.ts'
import { CreateForm } from '#/resource/form/CreateForm.tsx'
import { kinds } from '#/resource/kinds.ts'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_vpc-pages/_vpcs/vpcs-new')({
  ...formRoute('New VPC'),
  component: CreateVpc,
})

function CreateVpc() {
  const params = Route.useParams()
  const navigate = useNavigate()
  return (
    <CreateForm
      kind={kinds.vpc}
      values={{ name: '', description: '', dnsName: '', ipv6Prefix: '' }}
      toBody={({ ipv6Prefix, ...body }) => ({
        ...body,
        ...(ipv6Prefix.trim() === '' ? {} : { ipv6Prefix: ipv6Prefix.trim() }),
      })}
      onCreated={({ name }) => navigate({ href: pageOf('vpc', { ...params, name }), ignoreBlocker: true })}
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
}
