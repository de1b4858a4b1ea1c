/** The definitions of actions of the kinds that the search finds. */
import { groupView, userView } from '@purlin/contract/operations/silos/silos'
import { kinds as contractKinds } from '@purlin/contract/rules/kinds'
import { keysOf } from '@purlin/contract/rules/keys'
import type { SearchedKind } from '@purlin/contract/rules/lists'
import type { Result } from '@purlin/contract/op'
import { siloGroupActions } from '#/features/access/people/useGroupMenu.tsx'
import { placeOf, userActions, type Place } from '#/features/access/people/useUserMenu.tsx'
import { groupActions } from '#/features/affinity-groups/actions.tsx'
import { diskActions } from '#/features/disks/actions.tsx'
import { floatingIpActions } from '#/features/floating-ips/actions.tsx'
import { projectImageActions, siloImageActions } from '#/features/images/actions.tsx'
import { instanceActions } from '#/features/instances/actions.tsx'
import { wholeActions } from '#/features/instances/snapshots/actions.tsx'
import { wholes } from '#/features/instances/snapshots/kind.ts'
import { gatewayActions } from '#/features/internet-gateways/actions.tsx'
import { poolActions } from '#/features/ip-pools/actions.tsx'
import { probeActions } from '#/features/probes/actions.ts'
import { viewedProbe } from '#/features/probes/kinds.ts'
import { projectActions } from '#/features/projects/actions.tsx'
import { scheduleActions } from '#/features/schedules/actions.ts'
import { siloActions } from '#/features/silos/actions.tsx'
import { snapshotActions } from '#/features/snapshots/actions.tsx'
import { sshKeyActions } from '#/features/ssh-keys/actions.ts'
import { templateActions } from '#/features/user-data-templates/actions.ts'
import { routerActions } from '#/features/vpc-routers/actions.tsx'
import { subnetActions } from '#/features/vpc-subnets/actions.tsx'
import { vpcActions } from '#/features/vpcs/actions.tsx'
import type { Scope } from '#/lib/addresses.ts'
import { plainActions, withOwn, type Action } from '#/resource/actions/actions.tsx'
import type { FoundItem } from '#/resource/address/search.ts'
import {
  roleScope,
  type Kind,
  type Named,
  type RoleScope,
  type RowOp,
  type ViewedKind,
} from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { useLocalSilo } from '#/resource/role/useLocalSilo.ts'
import { tagActions } from '#/resource/tags/inLists.tsx'

/** A kind whose resources are acted on, and the actions in a scope. */
export interface Acted {
  kind: ViewedKind<RowOp<Named>>
  actions: (scope: Scope) => readonly Action<Named>[]
  /** The same by what the signed-in person is, which a hook knows. */
  useActions: Acted['actions']
  /** The roles that count for one. */
  roles: (found: Pick<FoundItem, 'name' | 'scope'>) => RoleScope
}

/** Each row is what the view of its kind answers with, which the actions must fit. */
const acted = <V extends RowOp<Named>>(
  kind: ViewedKind<V>,
  actions: (scope: Scope) => readonly Action<Result<V>>[],
  roles: Acted['roles'] = ({ scope }) => roleScope(kind as Parameters<typeof roleScope>[0], scope),
): Acted => {
  const tagged = kind as unknown as Kind
  const all = (scope: Scope) => withOwn<Result<V>>(actions(scope), tagActions(tagged, scope.project ?? ''))
  return { kind, actions: all, useActions: all, roles } as unknown as Acted
}

const anyPlace: Place = { silo: '', isLocal: true, disabledReason: undefined }
/** A user or group: whether it is managed here depends on the silo. */
function ofPeople<V extends RowOp>(
  kind: ViewedKind<V>,
  actionsIn: (place: Place) => readonly Action<Result<V>>[],
): Acted {
  const useActions = () => actionsIn(placeOf(useLocalSilo()))
  const actions = () => actionsIn(anyPlace)
  const roles = (): RoleScope => []
  return { kind, actions, useActions, roles } as unknown as Acted
}

const inProject =
  <A>(actions: (project: string) => A) =>
  ({ project = '' }: Scope) =>
    actions(project)

export const actedKinds: Partial<Record<SearchedKind, Acted>> = {
  project: acted(
    kinds.project,
    () => projectActions,
    ({ name }) => [name],
  ),
  instance: acted(kinds.instance, inProject(instanceActions)),
  disk: acted(
    kinds.disk,
    inProject((project) => diskActions(project)),
  ),
  image: acted(kinds.image, ({ project }) =>
    project === undefined ? siloImageActions() : projectImageActions(project),
  ),
  snapshot: acted(
    kinds.snapshot,
    inProject((project) => snapshotActions(project)),
  ),
  instanceSnapshot: acted(wholes, wholeActions),
  schedule: acted(kinds.schedule, inProject(scheduleActions)),
  userDataTemplate: acted(kinds.userDataTemplate, inProject(templateActions)),
  vpc: acted(kinds.vpc, inProject(vpcActions)),
  vpcSubnet: acted(kinds.vpcSubnet, subnetActions),
  vpcRouter: acted(kinds.vpcRouter, routerActions),
  internetGateway: acted(kinds.internetGateway, gatewayActions),
  floatingIp: acted(kinds.floatingIp, inProject(floatingIpActions)),
  antiAffinityGroup: acted(kinds.antiAffinityGroup, inProject(groupActions)),
  sshKey: acted(kinds.sshKey, sshKeyActions),
  silo: acted(kinds.silo, () => siloActions()),
  ipPool: acted(kinds.ipPool, () => poolActions()),
  probe: acted(viewedProbe, inProject(probeActions)),
  siloUser: ofPeople({ ...contractKinds.siloUser, name: 'siloUser', view: userView }, userActions),
  siloGroup: ofPeople({ ...contractKinds.siloGroup, name: 'siloGroup', view: groupView }, siloGroupActions),
  machineSize: acted(kinds.machineSize, () => plainActions(kinds.machineSize)),
}

/** Those of the silo's images are not those of a project's. */
const scopes: readonly Scope[] = [{ project: '' }, {}]

/** All actions. */
const all = Object.values(actedKinds).flatMap(({ actions }) => scopes.flatMap((scope) => actions(scope)))

/** The names of all actions. */
export const actLabels: readonly string[] = [...new Set(all.map(({ label }) => label))]

export const actedNames = keysOf(actedKinds)

/** The kind of the second resource that actions ask for. */
export const taken = all.flatMap(({ takes }) => (takes ? [{ kind: takes }] : [])).at(0)
