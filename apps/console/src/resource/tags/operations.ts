import {
  antiAffinityGroupTagsChange,
  instanceTagsChange,
  internetGatewayTagsChange,
  diskTagsChange,
  snapshotTagsChange,
  instanceSnapshotTagsChange,
  userDataTemplateTagsChange,
  floatingIpTagsChange,
  vpcTagsChange,
  vpcRouterTagsChange,
  vpcSubnetTagsChange,
  imageTagsChange,
  probeTagsChange,
  projectTagsChange,
  scheduleTagsChange,
} from '@purlin/contract/operations/lists/tags'
import type { OpShape } from '@purlin/contract/op'
import type { KindWith } from '@purlin/contract/rules/kinds'
import type { Kind } from '../kind.ts'

/** The kinds with screens whose resources have tags. */
export type TaggedName = KindWith<'isTagged'> & Kind['name']

/** The operations that change tags, by kind. */
export const tagOperations = {
  instance: instanceTagsChange,
  disk: diskTagsChange,
  snapshot: snapshotTagsChange,
  instanceSnapshot: instanceSnapshotTagsChange,
  userDataTemplate: userDataTemplateTagsChange,
  floatingIp: floatingIpTagsChange,
  vpc: vpcTagsChange,
  vpcSubnet: vpcSubnetTagsChange,
  vpcRouter: vpcRouterTagsChange,
  internetGateway: internetGatewayTagsChange,
  image: imageTagsChange,
  antiAffinityGroup: antiAffinityGroupTagsChange,
  schedule: scheduleTagsChange,
  probe: probeTagsChange,
  project: projectTagsChange,
} satisfies Record<TaggedName, OpShape>
