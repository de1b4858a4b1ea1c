import type { resourceLookUp } from '@purlin/contract/operations/access/access'
import type { Result } from '@purlin/contract/op'
import { paths, sections } from '#/lib/addresses.ts'

type Found = Pick<Result<typeof resourceLookUp>, 'type' | 'id' | 'name' | 'parents'>

/** The page of a resource or, if it has none, of what it is in. */
export function addressOf({ type, id, name, parents }: Found): string {
  const nameOf = (parent: string) => parents.find((one) => one.type === parent)?.name ?? ''
  const project = nameOf('project')
  const target = { project, name }
  const vpc = { project, vpc: nameOf('vpc') }
  switch (type) {
    case 'project':
      return sections.project.view({ name })
    case 'silo-image':
      return sections.siloImage.view({ name })
    case 'silo':
      return sections.silo.view({ name })
    case 'ip-pool':
      return sections.ipPool.view({ name })
    case 'ssh-key':
      return sections.sshKey.list('')
    case 'silo-user':
      return paths.user(id)
    case 'silo-group':
      return paths.group(id)
    case 'instance':
      return paths.instance({ project, instance: name })
    case 'instance-network-interface':
      return paths.instanceTab({ project, instance: nameOf('instance') }, 'networking')
    case 'disk':
      return sections.disk.view(target)
    case 'snapshot':
      return sections.snapshot.view(target)
    case 'project-image':
      return sections.image.view(target)
    case 'floating-ip':
      return `${sections.floatingIp.list(project)}?marked=${encodeURIComponent(id)}`
    case 'anti-affinity-group':
      return sections.antiAffinityGroup.view(target)
    case 'vpc':
      return sections.vpc.view(target)
    case 'vpc-subnet':
      return paths.subnet(vpc, id)
    case 'vpc-router':
      return sections.vpcRouter.view({ ...vpc, name })
    case 'router-route':
      return paths.route({ ...vpc, router: nameOf('vpc-router') }, id)
    case 'vpc-firewall-rule':
      return paths.firewallRule(vpc, name)
    case 'internet-gateway':
      return sections.internetGateway.view({ ...vpc, name })
    case 'internet-gateway-ip-pool':
    case 'internet-gateway-ip-address':
      return sections.internetGateway.view({ ...vpc, name: nameOf('internet-gateway') })
    default:
      return sections.project.view({ name: project })
  }
}

// They are not looked up: they belong to no project.
const ownPages: readonly string[] = ['silo', 'ip-pool', 'silo-user', 'silo-group']

/** An address that leads to a resource of which nothing else is known; whoever may not see it is told so there. */
export const anywhere = (one: Pick<Found, 'type' | 'id' | 'name'>): string =>
  ownPages.includes(one.type) ? addressOf({ ...one, parents: [] }) : paths.lookUp(one.id)
