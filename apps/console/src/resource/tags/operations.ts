import {
  instanceTagsChange,
  diskTagsChange,
  snapshotTagsChange,
  instanceSnapshotTagsChange,
  userDataTemplateTagsChange,
  floatingIpTagsChange,
  vpcTagsChange,
  imageTagsChange,
  projectTagsChange,
} from '@purlin/contract/operations/lists/tags'

/** The operations that change tags, by kind. */
export const tagOperations = {
  instance: instanceTagsChange,
  disk: diskTagsChange,
  snapshot: snapshotTagsChange,
  instanceSnapshot: instanceSnapshotTagsChange,
  userDataTemplate: userDataTemplateTagsChange,
  floatingIp: floatingIpTagsChange,
  vpc: vpcTagsChange,
  image: imageTagsChange,
  project: projectTagsChange,
}
