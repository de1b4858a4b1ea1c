import { vpcDelete } from '@purlin/contract/operations/vpcs/vpcs'
import { vpcSubnetList } from '@purlin/contract/operations/vpcs/vpc-subnets'
import { countOf } from '@purlin/contract/rules/kinds'
import { lookUpLimit, type Item } from '#/api/everyPage.ts'
import { requestTo } from '#/api/request.ts'
import { send } from '#/api/send.ts'
import { InterfacesIn } from '#/features/vpc-subnets/InterfacesIn.tsx'
import { interfacesIn } from '#/features/vpc-subnets/queries.ts'
import { guides } from '#/lib/addresses.ts'
import { plainActions } from '#/resource/actions/actions.tsx'
import { closeConfirm } from '#/resource/actions/confirm.ts'
import { kinds } from '#/resource/kinds.ts'
import { networks } from '#/resource/networks.ts'
import { TextLink } from '#/ui/button/link.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { ShortList } from '#/ui/value/ShortList.tsx'

/** Explains VPCs, next to the title of their screens. */
export const vpcDocs = {
  summary:
    'A VPC is a private network of instances. Traffic between two VPCs goes through external addresses. Firewall rules decide what reaches the instances, routers decide where their packets go.',
  links: [guides.networking, guides.firewallRules],
}

/** Actions on a VPC. `leave` leaves the page of one that is deleted. */
export const vpcActions = (project: string, leave?: () => unknown) =>
  plainActions(kinds.vpc, project, {
    refusal: (vpc) => refusal(project, vpc),
    note: ({ length }) =>
      length === 1
        ? 'Its firewall rules, routers and internet gateways are deleted with it.'
        : 'Their firewall rules, routers and internet gateways are deleted with them. A VPC with subnets stays.',
    leave,
  })

/** The subnets that prevent the deletion. */
async function refusal(project: string, { id, name }: { id: string; name: string }) {
  const subnets = await subnetsOf(id)
  const linkOf = (subnet: string) => kinds.vpcSubnet.section.edit({ project, vpc: name, name: subnet })
  if (subnets.length === 0) return undefined
  const reason = (
    <>
      <p>
        VPC <Highlight>{name}</Highlight> cannot be deleted while it has{' '}
        {countOf(subnets.length, networks.vpcSubnet.noun)}. Delete first:
      </p>
      <ShortList items={subnets} keyOf={({ id }) => id}>
        {(subnet) => (
          <TextLink href={linkOf(subnet.name)} onClick={closeConfirm}>
            {subnet.name}
          </TextLink>
        )}
      </ShortList>
    </>
  )
  const used = await usedOf(subnets)
  if (used)
    return {
      reason: (
        <>
          {reason}
          <InterfacesIn project={project} {...used} />
        </>
      ),
    }
  const request = requestTo(vpcDelete, { params: { vpc: id }, query: { cascade: true } })
  return {
    reason,
    all: {
      note: 'Or delete the VPC with its subnets, firewall rules, routers and internet gateways.',
      typeToConfirm: name,
      request,
    },
  }
}

// Subnets that are looked into for interfaces: beyond these, the server's refusal names one.
const lookedInto = 20

/** The interfaces in the first subnet that has some. */
async function usedOf(subnets: readonly { id: string }[]) {
  const found = await Promise.all(subnets.slice(0, lookedInto).map(({ id }) => interfacesIn(id)))
  return found.find(({ interfaces }) => interfaces.length > 0)
}

// If the content cannot be counted, the server decides, and its error names it.
const subnetsOf = (vpc: string): Promise<Item<typeof vpcSubnetList>[]> =>
  send(vpcSubnetList, { query: { vpc, limit: lookUpLimit } }).then(
    ({ items }) => items,
    () => [],
  )
