/** Sentences about the operations on users and groups of silos with local users. */
export const ofLocalUsers = {
  localIdpUserDeactivate:
    'Keep a local user from signing in. Sessions and access tokens of the user end, roles stay.',
  localIdpUserActivate: 'Let a deactivated local user sign in again, with the same password and roles.',
  siloGroupList: 'List the groups of a silo.',
  siloGroupView: 'Show a group of a silo.',
  localIdpGroupCreate: 'Create a group. The silo must have local users.',
  localIdpGroupUpdate: 'Rename a group. Its members and roles stay.',
  localIdpGroupDelete: 'Delete a group with its roles. Its members stay users of the silo.',
  localIdpGroupMembersAdd: 'Add users to a group. Those that are its members stay.',
  localIdpGroupMemberRemove: 'Remove a user from a group.',
}
