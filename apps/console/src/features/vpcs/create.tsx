import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { pageOf } from '#/resource/address/pageOf.ts'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { VpcForm } from './VpcForm.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_vpc-pages/_vpcs/vpcs-new')({
  ...formRoute('New VPC'),
  component: CreateVpc,
})

function CreateVpc() {
  const params = Route.useParams()
  const navigate = useNavigate()
  return (
    <VpcForm
      onCreated={({ name }) => navigate({ href: pageOf('vpc', { ...params, name }), ignoreBlocker: true })}
    />
  )
}
