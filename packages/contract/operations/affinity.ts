/** Placement groups: affinity draws its members to one sled, anti-affinity keeps them apart. */
import { op, type OpShape } from '../op.ts'
import { instanceStates } from '../rules/instance.ts'
import { named, object, union, words } from '../schema.ts'
import { head, headUpdate, inProject, newHead, ofProject } from '../schemas/identity.ts'
import { byName, page } from '../schemas/page.ts'
import { Name, NameOrId, Uuid } from '../schemas/scalar.ts'

const placement = {
  policy: named('AffinityPolicy', words(['allow', 'fail'])),
  failureDomain: named('FailureDomain', words(['sled'])),
}
const member = object({ id: Uuid, name: Name, runState: named('InstanceState', words(instanceStates)) })

type Params = NonNullable<OpShape['params']>
interface GroupKind<One extends Params, Member extends Params> {
  /** wire name of the group in paths */
  word: string
  /** name of its schema */
  name: string
  noun: string
  one: One
  member: Member
}

/** The operations of one kind of group: both kinds differ in their words only. */
// @__NO_SIDE_EFFECTS__
function groupOps<const One extends Params, const Member extends Params>(kind: GroupKind<One, Member>) {
  const { word, name, noun } = kind
  const paths = `${word.replaceAll('_', '-')}s`
  const all = `/v1/${paths}`
  const single = `${all}/{${word}}`
  const Group = named(name, object({ ...head, projectId: Uuid, ...placement }))
  const Groups = named(`${name}ResultsPage`, page(Group))
  const Member = named(`${name}Member`, union('type', { instance: { value: member } }))
  const read = { method: 'GET', allow: 'project.viewer', ok: 200, tag: 'affinity' } as const
  const write = { allow: 'project.collaborator', tag: 'affinity' } as const
  const one = { params: kind.one, path: single, query: object(inProject) } as const
  const ofMember = { params: kind.member, path: `${single}/members/instance/{instance}`, query: object(inProject) } as const
  return {
    ofInstance: op({
      ...read, tag: 'instances', path: `/v1/instances/{instance}/${paths}`, summary: `List ${noun}s of an instance`,
      params: object({ instance: NameOrId }), query: object({ ...byName, ...inProject }), response: Groups,
    }),
    list: op({
      ...read, path: all, summary: `List ${noun}s`, query: object({ ...byName, ...ofProject }), response: Groups,
    }),
    create: op({
      ...write, method: 'POST', path: all, ok: 201, summary: `Create an ${noun}`, query: object(ofProject),
      body: named(`${name}Create`, object({ ...newHead, ...placement })), response: Group,
    }),
    view: op({ ...read, ...one, summary: `Show an ${noun}`, response: Group }),
    update: op({
      ...write, ...one, method: 'PUT', ok: 200, summary: `Update an ${noun}`,
      body: named(`${name}Update`, object(headUpdate)), response: Group,
    }),
    delete: op({ ...write, ...one, method: 'DELETE', ok: 204, summary: `Delete an ${noun}` }),
    memberList: op({
      ...read, ...one, path: `${single}/members`, summary: `List members of an ${noun}`,
      query: object({ ...byName, ...inProject }), response: named(`${name}MemberResultsPage`, page(Member)),
    }),
    memberView: op({ ...read, ...ofMember, summary: `Show a member of an ${noun}`, response: Member }),
    memberAdd: op({
      ...write, ...ofMember, method: 'POST', ok: 201, summary: `Add an instance to an ${noun}`, response: Member,
    }),
    memberDelete: op({
      ...write, ...ofMember, method: 'DELETE', ok: 204, summary: `Remove an instance from an ${noun}`,
    }),
  }
}

const affinity = groupOps({
  word: 'affinity_group', name: 'AffinityGroup', noun: 'affinity group',
  one: object({ affinityGroup: NameOrId }), member: object({ affinityGroup: NameOrId, instance: NameOrId }),
})
export const instanceAffinityGroupList = affinity.ofInstance
export const affinityGroupList = affinity.list
export const affinityGroupCreate = affinity.create
export const affinityGroupView = affinity.view
export const affinityGroupUpdate = affinity.update
export const affinityGroupDelete = affinity.delete
export const affinityGroupMemberList = affinity.memberList
export const affinityGroupMemberInstanceView = affinity.memberView
export const affinityGroupMemberInstanceAdd = affinity.memberAdd
export const affinityGroupMemberInstanceDelete = affinity.memberDelete

const antiAffinity = groupOps({
  word: 'anti_affinity_group', name: 'AntiAffinityGroup', noun: 'anti-affinity group',
  one: object({ antiAffinityGroup: NameOrId }), member: object({ antiAffinityGroup: NameOrId, instance: NameOrId }),
})
export const instanceAntiAffinityGroupList = antiAffinity.ofInstance
export const antiAffinityGroupList = antiAffinity.list
export const antiAffinityGroupCreate = antiAffinity.create
export const antiAffinityGroupView = antiAffinity.view
export const antiAffinityGroupUpdate = antiAffinity.update
export const antiAffinityGroupDelete = antiAffinity.delete
export const antiAffinityGroupMemberList = antiAffinity.memberList
export const antiAffinityGroupMemberInstanceView = antiAffinity.memberView
export const antiAffinityGroupMemberInstanceAdd = antiAffinity.memberAdd
export const antiAffinityGroupMemberInstanceDelete = antiAffinity.memberDelete
