/** The table of all operations. A key's snake_case form is the operationId. */
import * as access from './operations/access.ts'
import * as accessTokens from './operations/access-tokens.ts'
import * as affinityGroups from './operations/affinity-groups.ts'
import * as auditLog from './operations/audit-log.ts'
import * as certificates from './operations/certificates.ts'
import * as currentUser from './operations/current-user.ts'
import * as disks from './operations/disks.ts'
import * as events from './operations/events.ts'
import * as externalIps from './operations/external-ips.ts'
import * as floatingIps from './operations/floating-ips.ts'
import * as images from './operations/images.ts'
import * as internetGateways from './operations/internet-gateways.ts'
import * as instances from './operations/instances.ts'
import * as ipPools from './operations/ip-pools.ts'
import * as metrics from './operations/metrics.ts'
import * as networkInterfaces from './operations/network-interfaces.ts'
import * as policies from './operations/policies.ts'
import * as listExport from './operations/list-export.ts'
import * as listViews from './operations/list-views.ts'
import * as projects from './operations/projects.ts'
import * as scimTokens from './operations/scim-tokens.ts'
import * as search from './operations/search.ts'
import * as sessions from './operations/sessions.ts'
import * as silos from './operations/silos.ts'
import * as snapshots from './operations/snapshots.ts'
import * as sshKeys from './operations/ssh-keys.ts'
import * as systemIpPools from './operations/system-ip-pools.ts'
import * as systemSilos from './operations/system-silos.ts'
import * as tasks from './operations/tasks.ts'
import * as timeseries from './operations/timeseries.ts'
import * as users from './operations/users.ts'
import * as vpcFirewallRules from './operations/vpc-firewall-rules.ts'
import * as vpcRouters from './operations/vpc-routers.ts'
import * as vpcSubnets from './operations/vpc-subnets.ts'
import * as vpcEffects from './operations/vpc-effects.ts'
import * as vpcPreview from './operations/vpc-preview.ts'
import * as vpcTopology from './operations/vpc-topology.ts'
import * as vpcTrace from './operations/vpc-trace.ts'
import * as vpcs from './operations/vpcs.ts'
import type { OpShape } from './op.ts'

type Only<T> = { [K in keyof T as T[K] extends OpShape ? K : never]: T[K] }

// Modules export schemas beside operations; an operation is what has a method.
function only<T extends object>(module: T): Only<T> {
  return Object.fromEntries(
    Object.entries(module).filter(([, value]) => 'method' in (value as object)),
  ) as Only<T>
}

export const operations = {
  ...only(sessions),
  ...only(currentUser),
  ...only(accessTokens),
  ...only(sshKeys),
  ...only(listViews),
  ...only(silos),
  ...only(certificates),
  ...only(users),
  ...only(scimTokens),
  ...only(policies),
  ...only(access),
  ...only(auditLog),
  ...only(search),
  ...only(listExport),
  ...only(events),
  ...only(tasks),
  ...only(projects),
  ...only(instances),
  ...only(externalIps),
  ...only(disks),
  ...only(images),
  ...only(snapshots),
  ...only(vpcs),
  ...only(vpcSubnets),
  ...only(vpcRouters),
  ...only(internetGateways),
  ...only(vpcFirewallRules),
  ...only(vpcTrace),
  ...only(vpcEffects),
  ...only(vpcPreview),
  ...only(vpcTopology),
  ...only(networkInterfaces),
  ...only(ipPools),
  ...only(systemIpPools),
  ...only(systemSilos),
  ...only(floatingIps),
  ...only(affinityGroups),
  ...only(timeseries),
  ...only(metrics),
}
export type Operations = typeof operations
export type OperationName = keyof Operations
