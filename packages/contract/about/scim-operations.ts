/** Sentences about the operations of SCIM and its tokens. */
const bySystems = 'Identity systems send it with a SCIM token, in the formats of RFC 7643 and RFC 7644.'
const endsAtOnce = 'One who becomes inactive loses sessions and access tokens at once.'

export const scimOperations = {
  scimTokenList: 'List the SCIM tokens of a silo. All are in one answer.',
  scimTokenCreate: 'Create a SCIM token. Only this answer has the token itself.',
  scimTokenDeleteAll: 'Delete all SCIM tokens of a silo.',
  scimConfigView: `Show which parts of SCIM this service supports. ${bySystems}`,
  scimResourceTypeList: `List the types of resources that SCIM manages. ${bySystems}`,
  scimResourceTypeView: `Show a type of resources that SCIM manages. ${bySystems}`,
  scimSchemaList: `List the attributes of all types of resources. ${bySystems}`,
  scimSchemaView: `Show the attributes of a type of resources. ${bySystems}`,
  scimUserList: `List users of the silo of the token. ${bySystems}`,
  scimUserCreate: `Create a user who signs in with an identity provider. ${bySystems}`,
  scimUserView: `Show a user. ${bySystems}`,
  scimUserReplace: `Replace the attributes of a user. ${endsAtOnce} ${bySystems}`,
  scimUserUpdate: `Change attributes of a user. ${endsAtOnce} ${bySystems}`,
  scimUserDelete: `Delete a user with its roles, memberships, sessions and SSH keys. ${bySystems}`,
  scimGroupList: `List groups of the silo of the token. ${bySystems}`,
  scimGroupCreate: `Create a group with members. ${bySystems}`,
  scimGroupView: `Show a group. ${bySystems}`,
  scimGroupReplace: `Replace the name and all members of a group. ${bySystems}`,
  scimGroupUpdate: `Change the name or the members of a group. ${bySystems}`,
  scimGroupDelete: `Delete a group with its roles. ${bySystems}`,
}
