/** The handler of every operation. The map is total: an operation without one does not compile. */
import type { Handlers } from '#/context.ts'
import { access } from '#/resources/access/access.ts'
import { accessOperations } from '#/resources/access/access-operations.ts'
import { oidcLogin } from '#/resources/access/oidc-login.ts'
import { samlLogin } from '#/resources/access/saml-login.ts'
import { signInTests } from '#/resources/access/provider-tests/sign-in-tests.ts'
import { oidcProviders } from '#/resources/silos/oidc-providers.ts'
import { identityProviders } from '#/resources/silos/identity-providers.ts'
import { identities } from '#/resources/access/identities.ts'
import { lookUp } from '#/resources/lists/look-up.ts'
import { events } from '#/resources/lists/events.ts'
import { scimTokens } from '#/resources/access/scim-tokens.ts'
import { serviceAccountKeys } from '#/resources/access/service-accounts/keys.ts'
import { serviceAccounts } from '#/resources/access/service-accounts/accounts.ts'
import { scimDiscovery } from '#/resources/scim/discovery.ts'
import { scimGroups } from '#/resources/scim/groups.ts'
import { scimUsers } from '#/resources/scim/users.ts'
import { listExports } from '#/resources/lists/list-export.ts'
import { firstSteps } from '#/resources/first-steps/first-steps.ts'
import { listViews } from '#/resources/lists/list-views.ts'
import { protection } from '#/resources/kind/protection.ts'
import { tags } from '#/resources/kind/tags.ts'
import { names } from '#/resources/kind/names.ts'
import { search } from '#/resources/lists/search.ts'
import { accessTokens } from '#/resources/access/tokens/access-tokens.ts'
import { addressLots } from '#/resources/networking/address-lots.ts'
import { bfd } from '#/resources/networking/bfd.ts'
import { bgp } from '#/resources/networking/bgp.ts'
import { edge } from '#/resources/networking/edge.ts'
import { portSettings } from '#/resources/networking/port-settings.ts'
import { switchChanges } from '#/resources/networking/switch-changes.ts'
import { switchStatus } from '#/resources/networking/switch-status.ts'
import { affinityGroups } from '#/resources/instances/affinity-groups.ts'
import { auditExports } from '#/resources/audit/audit-export.ts'
import { auditLog } from '#/resources/audit/audit-log.ts'
import { certificates } from '#/resources/silos/certificates.ts'
import { currentUser } from '#/resources/access/current-user.ts'
import { deviceLogin } from '#/resources/access/tokens/device-login.ts'
import { disks } from '#/resources/storage/disk-changes.ts'
import { diskImports } from '#/resources/storage/disk-import.ts'
import { scheduleRuns } from '#/resources/schedules/runs.ts'
import { schedules } from '#/resources/schedules/schedules.ts'
import { userDataTemplates } from '#/resources/user-data/templates.ts'
import { floatingIps } from '#/resources/addresses/floating-ips.ts'
import { attention } from '#/resources/alerts/attention.ts'
import { fleetOverview } from '#/resources/alerts/fleet-overview.ts'
import { capacity } from '#/resources/hardware/totals.ts'
import { hostJoining } from '#/resources/hardware/host-joining.ts'
import { hosts } from '#/resources/hardware/hosts.ts'
import { hardware } from '#/resources/hardware/hardware.ts'
import { imageImports } from '#/resources/storage/image-imports.ts'
import { images } from '#/resources/storage/images.ts'
import { internetGateways } from '#/resources/vpcs/internet-gateways.ts'
import { instances } from '#/resources/instances/instances.ts'
import { machineSizes } from '#/resources/instances/sizes/machine-sizes.ts'
import { ipPools } from '#/resources/addresses/ip-pools.ts'
import { poolSilos } from '#/resources/addresses/ip-pool-silos.ts'
import { poolRanges } from '#/resources/addresses/ip-pool-ranges.ts'
import { metrics } from '#/resources/metrics/metrics.ts'
import { networkInterfaces } from '#/resources/vpcs/network-interfaces.ts'
import { policies } from '#/resources/access/policies.ts'
import { overviews } from '#/resources/projects/project-overview.ts'
import { projects } from '#/resources/projects/projects.ts'
import { sessions } from '#/resources/access/sessions.ts'
import { siloChanges } from '#/resources/silos/silo-changes.ts'
import { siloQuotas } from '#/resources/silos/silo-quotas.ts'
import { silo } from '#/resources/silos/silos.ts'
import { instanceSnapshots } from '#/resources/instances/instance-snapshots.ts'
import { snapshotSchedules } from '#/resources/storage/snapshot-schedules.ts'
import { snapshots } from '#/resources/storage/snapshots.ts'
import { secondFactorLogin } from '#/resources/access/second-factors/login.ts'
import { secondFactors } from '#/resources/access/second-factors/own.ts'
import { sshKeys } from '#/resources/access/ssh-keys.ts'
import { firewallRules } from '#/resources/vpcs/firewall-rules.ts'
import { routers } from '#/resources/vpcs/vpc-routers.ts'
import { routes } from '#/resources/vpcs/router-routes.ts'
import { subnets } from '#/resources/vpcs/vpc-subnets.ts'
import { tasks } from '#/resources/tasks/tasks.ts'
import { activation } from '#/resources/access/local/activation.ts'
import { localGroups } from '#/resources/access/local/groups.ts'
import { users } from '#/resources/access/users.ts'
import { usagePrices } from '#/resources/usage/prices.ts'
import { usage } from '#/resources/usage/usage.ts'
import { timeseries } from '#/resources/metrics/timeseries.ts'
import { vpcEffects } from '#/resources/vpcs/analysis/vpc-effects.ts'
import { probes } from '#/resources/vpcs/probes.ts'
import { vpcTopologies } from '#/resources/vpcs/analysis/vpc-topology.ts'
import { vpcTraces } from '#/resources/vpcs/analysis/vpc-trace.ts'
import { targetReleases } from '#/resources/updates/target-release.ts'
import { rollOuts } from '#/resources/updates/roll-out.ts'
import { trustRoots } from '#/resources/updates/trust-roots.ts'
import { updateRepositories } from '#/resources/updates/repositories.ts'
import { repositoryUploads } from '#/resources/updates/uploads.ts'
import { alerts } from '#/resources/alerts/alerts.ts'
import { alertDeliveries } from '#/resources/alerts/deliveries.ts'
import { alertReceivers } from '#/resources/alerts/receivers.ts'
import { webhookSecrets } from '#/resources/alerts/secrets.ts'
import { backups } from '#/resources/backups/backups.ts'
import { supportBundles } from '#/resources/bundles/support-bundles.ts'
import { vpcs } from '#/resources/vpcs/vpcs.ts'

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
  ...localGroups,
  ...activation,
  ...scimTokens,
  ...serviceAccounts,
  ...serviceAccountKeys,
  ...scimDiscovery,
  ...scimUsers,
  ...scimGroups,
  ...samlLogin,
  ...oidcLogin,
  ...identityProviders,
  ...oidcProviders,
  ...signInTests,
  ...policies,
  ...access,
  ...accessOperations,
  ...identities,
  ...lookUp,
  ...names,
  ...listExports,
  ...listViews,
  ...firstSteps,
  ...search,
  ...events,
  ...protection,
  ...tags,
  ...tasks,
  ...auditLog,
  ...auditExports,
  ...sshKeys,
  ...secondFactors,
  ...secondFactorLogin,
  ...projects,
  ...overviews,
  ...instances,
  ...machineSizes,
  ...disks,
  ...diskImports,
  ...snapshots,
  ...snapshotSchedules,
  ...instanceSnapshots,
  ...schedules,
  ...userDataTemplates,
  ...scheduleRuns,
  ...images,
  ...imageImports,
  ...vpcs,
  ...trustRoots,
  ...updateRepositories,
  ...repositoryUploads,
  ...targetReleases,
  ...rollOuts,
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
  ...addressLots,
  ...bgp,
  ...bfd,
  ...portSettings,
  ...switchChanges,
  ...switchStatus,
  ...edge,
  ...floatingIps,
  ...affinityGroups,
  ...metrics,
  ...usage,
  ...usagePrices,
  ...hardware,
  ...hosts,
  ...hostJoining,
  ...capacity,
  ...fleetOverview,
  ...attention,
  ...alerts,
  ...alertReceivers,
  ...webhookSecrets,
  ...alertDeliveries,
  ...probes,
  ...supportBundles,
  ...backups,
  ...timeseries,
}
