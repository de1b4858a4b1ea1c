/** Placement groups: members of an affinity group share a sled, those of an anti-affinity group do not. */
import { op, type OpShape } from '#/op.ts'
import { instanceStates } from '#/rules/states.ts'
import { enumOf, object, ref, union } from '#/schema.ts'
import { identity, inProject, tagged, taggedGiven } from '#/schemas/identity.ts'
import { byNameOf, page } from '#/schemas/page.ts'
import { Name, NameOrId, Uuid } from '#/schemas/scalar.ts'
import { plainOps } from '../plain.ts'

const placement = {
  policy: ref('AffinityPolicy', enumOf(['allow', 'fail'])),
  failureDomain: ref('FailureDomain', enumOf(['sled'])),
}
const member = object({ id: Uuid, name: Name, runState: ref('InstanceState', enumOf(instanceStates)) })

type Params = NonNullable<OpShape['params']>
interface GroupKind<One extends Params, Member extends Params> {
  /** wire name of the group in paths */
  word: string
  /** name of its schema */
  name: string
  /** schema of a page of groups */
  groups: typeof affinityGroupList.response
  one: One
  member: Member
}

// @__NO_SIDE_EFFECTS__
const groupSchema = (name: string) => ref(name, object({ ...identity, ...tagged, projectId: Uuid, ...placement }))

/** The operations on members of one kind of group. The two kinds differ in names only. */
// @__NO_SIDE_EFFECTS__
function memberOps<const One extends Params, const Member extends Params>(kind: GroupKind<One, Member>) {
  const { word, name } = kind
  const paths = `${word.replaceAll('_', '-')}s`
  const single = `/v1/${paths}/{${word}}`
  const Member = ref(`${name}Member`, union('type', { instance: { value: member } }))
  const read = { method: 'GET', allow: 'project.viewer', ok: 200, tag: 'affinity' } as const
  const write = { allow: 'project.collaborator', tag: 'affinity' } as const
  const one = { params: kind.one, path: single, query: object(inProject) } as const
  const ofMember = { params: kind.member, path: `${single}/members/instance/{instance}`, query: object(inProject) } as const
  return {
    ofInstance: op({
      ...read, tag: 'instances', path: `/v1/instances/{instance}/${paths}`,
      params: object({ instance: NameOrId }), query: object({ ...byNameOf('affinityGroup'), ...inProject }), response: kind.groups,
    }),
    memberList: op({
      ...read, ...one, path: `${single}/members`,
      query: object({ ...byNameOf('instance'), ...inProject }), response: ref(`${name}MemberResultsPage`, page(Member)),
    }),
    memberView: op({ ...read, ...ofMember, response: Member }),
    memberAdd: op({
      ...write, ...ofMember, method: 'POST', ok: 201, response: Member,
    }),
    memberDelete: op({
      ...write, ...ofMember, method: 'DELETE', ok: 204,
    }),
  }
}

export const {
  affinityGroupList, affinityGroupCreate, affinityGroupView, affinityGroupUpdate, affinityGroupDelete,
} = plainOps('affinityGroup', { response: groupSchema('AffinityGroup'), create: { ...placement, ...taggedGiven }, update: taggedGiven, tag: 'affinity' })
const affinity = memberOps({
  word: 'affinity_group', name: 'AffinityGroup',
  groups: affinityGroupList.response,
  one: object({ affinityGroup: NameOrId }), member: object({ affinityGroup: NameOrId, instance: NameOrId }),
})
export const instanceAffinityGroupList = affinity.ofInstance
export const affinityGroupMemberList = affinity.memberList
export const affinityGroupMemberInstanceView = affinity.memberView
export const affinityGroupMemberInstanceAdd = affinity.memberAdd
export const affinityGroupMemberInstanceDelete = affinity.memberDelete

export const {
  antiAffinityGroupList, antiAffinityGroupCreate, antiAffinityGroupView, antiAffinityGroupUpdate, antiAffinityGroupDelete,
} = plainOps('antiAffinityGroup', { response: groupSchema('AntiAffinityGroup'), create: { ...placement, ...taggedGiven }, update: taggedGiven, tag: 'affinity' })
const antiAffinity = memberOps({
  word: 'anti_affinity_group', name: 'AntiAffinityGroup',
  groups: antiAffinityGroupList.response,
  one: object({ antiAffinityGroup: NameOrId }), member: object({ antiAffinityGroup: NameOrId, instance: NameOrId }),
})
export const instanceAntiAffinityGroupList = antiAffinity.ofInstance
export const antiAffinityGroupMemberList = antiAffinity.memberList
export const antiAffinityGroupMemberInstanceView = antiAffinity.memberView
export const antiAffinityGroupMemberInstanceAdd = antiAffinity.memberAdd
export const antiAffinityGroupMemberInstanceDelete = antiAffinity.memberDelete
