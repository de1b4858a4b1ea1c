/** The table of all operations. A key's snake_case form is the operationId. */
import * as access from './operations/access/access.ts'
import * as accessTokens from './operations/access/access-tokens.ts'
import * as bfd from './operations/networking/bfd.ts'
import * as bgp from './operations/networking/bgp.ts'
import * as lldp from './operations/hardware/lldp.ts'
import * as portSettings from './operations/networking/port-settings.ts'
import * as switchChanges from './operations/networking/switch-changes.ts'
import * as addressLots from './operations/networking/address-lots.ts'
import * as affinityGroups from './operations/instances/affinity-groups.ts'
import * as alerts from './operations/alerts/alerts.ts'
import * as alertReceivers from './operations/alerts/receivers.ts'
import * as backups from './operations/backups/backups.ts'
import * as supportBundles from './operations/bundles/support-bundles.ts'
import * as auditLog from './operations/audit/audit-log.ts'
import * as capacity from './operations/hardware/capacity.ts'
import * as fleetOverview from './operations/hardware/overview.ts'
import * as certificates from './operations/silos/certificates.ts'
import * as currentUser from './operations/access/current-user.ts'
import * as disks from './operations/storage/disks.ts'
import * as edge from './operations/networking/edge.ts'
import * as events from './operations/lists/events.ts'
import * as externalIps from './operations/addresses/external-ips.ts'
import * as floatingIps from './operations/addresses/floating-ips.ts'
import * as hosts from './operations/hardware/hosts.ts'
import * as hardware from './operations/hardware/hardware.ts'
import * as imageImports from './operations/storage/image-imports.ts'
import * as images from './operations/storage/images.ts'
import * as internetGateways from './operations/vpcs/internet-gateways.ts'
import * as instances from './operations/instances/instances.ts'
import * as machineSizes from './operations/instances/machine-sizes.ts'
import * as schedules from './operations/schedules/schedules.ts'
import * as userDataTemplates from './operations/user-data/templates.ts'
import * as ipPools from './operations/addresses/ip-pools.ts'
import * as metrics from './operations/metrics/metrics.ts'
import * as networkInterfaces from './operations/vpcs/network-interfaces.ts'
import * as policies from './operations/access/policies.ts'
import * as probes from './operations/vpcs/probes.ts'
import * as localGroups from './operations/access/local-groups.ts'
import * as listExport from './operations/lists/list-export.ts'
import * as firstSteps from './operations/access/first-steps.ts'
import * as listViews from './operations/lists/list-views.ts'
import * as projects from './operations/projects/projects.ts'
import * as scim from './operations/access/scim.ts'
import * as scimTokens from './operations/access/scim-tokens.ts'
import * as search from './operations/lists/search.ts'
import * as secondFactorLogin from './operations/access/second-factor-login.ts'
import * as secondFactors from './operations/access/second-factors.ts'
import * as serviceAccounts from './operations/access/service-accounts.ts'
import * as sessions from './operations/access/sessions.ts'
import * as identityProviders from './operations/silos/identity-providers.ts'
import * as samlLogin from './operations/access/saml-login.ts'
import * as oidcLogin from './operations/access/oidc-login.ts'
import * as oidcProviders from './operations/silos/oidc-providers.ts'
import * as signInTests from './operations/silos/sign-in-tests.ts'
import * as silos from './operations/silos/silos.ts'
import * as instanceSnapshots from './operations/storage/instance-snapshots.ts'
import * as snapshotSchedules from './operations/storage/snapshot-schedules.ts'
import * as snapshots from './operations/storage/snapshots.ts'
import * as sshKeys from './operations/access/ssh-keys.ts'
import * as systemIpPools from './operations/addresses/system-ip-pools.ts'
import * as systemSilos from './operations/silos/system-silos.ts'
import * as protection from './operations/lists/protection.ts'
import * as tags from './operations/lists/tags.ts'
import * as tasks from './operations/tasks/tasks.ts'
import * as usage from './operations/metrics/usage.ts'
import * as timeseries from './operations/metrics/timeseries.ts'
import * as trustRoots from './operations/updates/trust-roots.ts'
import * as updateRollOut from './operations/updates/roll-out.ts'
import * as updateRepositories from './operations/updates/repositories.ts'
import * as users from './operations/access/users.ts'
import * as vpcFirewallRules from './operations/vpcs/vpc-firewall-rules.ts'
import * as vpcRouters from './operations/vpcs/vpc-routers.ts'
import * as vpcSubnets from './operations/vpcs/vpc-subnets.ts'
import * as vpcEffects from './operations/vpcs/vpc-effects.ts'
import * as vpcPreview from './operations/vpcs/vpc-preview.ts'
import * as vpcTopology from './operations/vpcs/vpc-topology.ts'
import * as vpcTrace from './operations/vpcs/vpc-trace.ts'
import * as vpcs from './operations/vpcs/vpcs.ts'
import type { OpShape } from './op.ts'
import { kinds, type KindWith } from './rules/kinds.ts'
import { isOneOf } from './rules/keys.ts'
import { serialKinds, type SerialKind } from './rules/lists.ts'

type Only<T> = { [K in keyof T as T[K] extends OpShape ? K : never]: T[K] }

// Modules also export schemas; only an operation has a method.
function only<T extends object>(module: T): Only<T> {
  return Object.fromEntries(
    Object.entries(module).filter(
      ([, value]) => typeof value === 'object' && value !== null && 'method' in value,
    ),
  ) as Only<T>
}

export const operations = {
  ...only(sessions),
  ...only(currentUser),
  ...only(accessTokens),
  ...only(sshKeys),
  ...only(secondFactors),
  ...only(secondFactorLogin),
  ...only(listViews),
  ...only(firstSteps),
  ...only(silos),
  ...only(certificates),
  ...only(users),
  ...only(localGroups),
  ...only(scimTokens),
  ...only(serviceAccounts),
  ...only(scim),
  ...only(samlLogin),
  ...only(identityProviders),
  ...only(oidcLogin),
  ...only(oidcProviders),
  ...only(signInTests),
  ...only(policies),
  ...only(access),
  ...only(auditLog),
  ...only(search),
  ...only(listExport),
  ...only(events),
  ...only(protection),
  ...only(tags),
  ...only(tasks),
  ...only(projects),
  ...only(instances),
  ...only(machineSizes),
  ...only(schedules),
  ...only(userDataTemplates),
  ...only(externalIps),
  ...only(disks),
  ...only(images),
  ...only(imageImports),
  ...only(snapshots),
  ...only(snapshotSchedules),
  ...only(instanceSnapshots),
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
  ...only(probes),
  ...only(ipPools),
  ...only(systemIpPools),
  ...only(systemSilos),
  ...only(hardware),
  ...only(hosts),
  ...only(capacity),
  ...only(fleetOverview),
  ...only(addressLots),
  ...only(bgp),
  ...only(bfd),
  ...only(portSettings),
  ...only(switchChanges),
  ...only(lldp),
  ...only(edge),
  ...only(floatingIps),
  ...only(affinityGroups),
  ...only(timeseries),
  ...only(metrics),
  ...only(usage),
  ...only(trustRoots),
  ...only(updateRepositories),
  ...only(updateRollOut),
  ...only(alerts),
  ...only(alertReceivers),
  ...only(supportBundles),
  ...only(backups),
}
export type Operations = typeof operations
export type OperationName = keyof Operations

/** The operation that lists the resources of a kind that is searched. */
export const listOf = (kind: KindWith<'search'> | SerialKind): OpShape =>
  isOneOf(serialKinds, kind) ? operations[`${kind}List`] : operations[kinds[kind].search.list]
