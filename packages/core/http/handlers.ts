/** The handler of every operation. The map is total: an operation without one does not compile. */
import type { Handlers } from '#/context.ts'
import { access } from '#/resources/access.ts'
import { accessOperations } from '#/resources/access-operations.ts'
import { identities } from '#/resources/identities.ts'
import { lookUp } from '#/resources/look-up.ts'
import { events } from '#/resources/events.ts'
import { scimTokens } from '#/resources/scim-tokens.ts'
import { listExports } from '#/resources/list-export.ts'
import { listViews } from '#/resources/list-views.ts'
import { names } from '#/resources/names.ts'
import { search } from '#/resources/search.ts'
import { accessTokens } from '#/resources/access-tokens.ts'
import { affinityGroups } from '#/resources/affinity-groups.ts'
import { auditExports } from '#/resources/audit-export.ts'
import { auditLog } from '#/resources/audit-log.ts'
import { certificates } from '#/resources/certificates.ts'
import { currentUser } from '#/resources/current-user.ts'
import { deviceLogin } from '#/resources/device-login.ts'
import { disks } from '#/resources/disks.ts'
import { diskImports } from '#/resources/disk-import.ts'
import { floatingIps } from '#/resources/floating-ips.ts'
import { images } from '#/resources/images.ts'
import { internetGateways } from '#/resources/internet-gateways.ts'
import { instances } from '#/resources/instances.ts'
import { ipPools } from '#/resources/ip-pools.ts'
import { poolSilos } from '#/resources/ip-pool-silos.ts'
import { poolRanges } from '#/resources/ip-pool-ranges.ts'
import { metrics } from '#/resources/metrics.ts'
import { networkInterfaces } from '#/resources/network-interfaces.ts'
import { policies } from '#/resources/policies.ts'
import { overviews } from '#/resources/project-overview.ts'
import { projects } from '#/resources/projects.ts'
import { sessions } from '#/resources/sessions.ts'
import { siloChanges } from '#/resources/silo-changes.ts'
import { siloQuotas } from '#/resources/silo-quotas.ts'
import { silo } from '#/resources/silos.ts'
import { snapshots } from '#/resources/snapshots.ts'
import { sshKeys } from '#/resources/ssh-keys.ts'
import { firewallRules } from '#/resources/firewall-rules.ts'
import { routers } from '#/resources/vpc-routers.ts'
import { routes } from '#/resources/router-routes.ts'
import { subnets } from '#/resources/vpc-subnets.ts'
import { tasks } from '#/resources/tasks.ts'
import { users } from '#/resources/users.ts'
import { timeseries } from '#/resources/timeseries.ts'
import { vpcEffects } from '#/resources/vpc-effects.ts'
import { vpcTopologies } from '#/resources/vpc-topology.ts'
import { vpcTraces } from '#/resources/vpc-trace.ts'
import { vpcs } from '#/resources/vpcs.ts'

export const handlers: Handlers = {
  ...sessions,
  ...currentUser,
  ...accessTokens,
  ...deviceLogin,
  ...silo,
  ...siloChanges,
  ...siloQuotas,
  ...certificates,
  ...users,
  ...scimTokens,
  ...policies,
  ...access,
  ...accessOperations,
  ...identities,
  ...lookUp,
  ...names,
  ...listExports,
  ...listViews,
  ...search,
  ...events,
  ...tasks,
  ...auditLog,
  ...auditExports,
  ...sshKeys,
  ...projects,
  ...overviews,
  ...instances,
  ...disks,
  ...diskImports,
  ...snapshots,
  ...images,
  ...vpcs,
  ...subnets,
  ...routers,
  ...routes,
  ...internetGateways,
  ...firewallRules,
  ...vpcTraces,
  ...vpcEffects,
  ...vpcTopologies,
  ...networkInterfaces,
  ...ipPools,
  ...poolRanges,
  ...poolSilos,
  ...floatingIps,
  ...affinityGroups,
  ...metrics,
  ...timeseries,
}
