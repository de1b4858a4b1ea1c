/** Fields of users, sessions, tokens, policies and questions about access. */
import { limits } from '#/rules/limits.ts'
import type { FieldSentences } from '../field-sentences.ts'

const ttl = 'The longest validity of new access tokens in seconds; null for no limit.'
const without = 'Set if no role is needed: the callers who may do it.'
const complete = 'False if there may be roles that the caller must not see.'
const resource = 'The resource: `fleet`, `silo:NAME`, `project:NAME`, or a type and an id, such as `disk:ID`.'
const level = 'The level of the resource that the role is on: fleet, silo or project.'
const seen = {
  resourceId: 'The id of the resource that the role is on.',
  resourceName: 'Its name; null for the fleet.',
}
const type = 'The type of the resource, such as `disk` or `vpc-subnet`.'
const siloId = 'The id of the silo that it belongs to.'

const secondFactorRequired =
  'True if local users need a second factor to sign in; those without one add it then. Absent keeps it.'
const question = {
  challenge: 'The challenge that the authenticator signs, base64url.',
  host: 'The host name that passkeys are for.',
  credentialIds: 'The ids of the passkeys that the user has, base64url.',
}
const scimToken = {
  name: 'The name for people, null for none.',
  timeLastUsed: 'When a request last used the token, to the minute, RFC 3339 in UTC; null if never.',
}
const scimSelection = {
  attributes: 'The attributes that the answer has, separated by commas; all unless given.',
  excludedAttributes: 'The attributes that the answer does not have, separated by commas.',
}
const scimPage = {
  ...scimSelection,
  startIndex: 'The position of the first resource of the page, 1 for the first of all.',
  count: `The most resources of a page, ${limits.scim.page.default} unless given and never more than ${limits.scim.page.max}.`,
}
const scimFilter = (name: string) =>
  `Comparisons with \`eq\`, joined by \`and\`, such as \`${name} eq "ada"\`. RFC 7644, section 3.4.2.2.`

const tokenTtl = 'The validity of the access token in seconds; as long as the silo allows unless given.'
const accessToken = {
  name: 'The name of the token; null for one of the device flow.',
  timeLastUsed: 'When a request last used the token, to the minute, RFC 3339 in UTC; null if never.',
}
const disabled = 'True if the account has no keys and gets none.'
const key = {
  name: 'The name of the key.',
  readOnly: 'True if the key changes nothing.',
  projectId: 'The id of the only project that the key is for; null without that limit.',
  timeLastUsed: 'When a request last used the key, to the minute, RFC 3339 in UTC; null if never.',
}

export const access: FieldSentences = {
  Ping: { status: '`ok`, if the API answers.' },
  UsernamePasswordCredentials: {
    username: 'The name of the local user.',
    password: 'The password of the user.',
  },
  CurrentUser: {
    fleetViewer: 'True if the user may see the fleet.',
    siloAdmin: 'True if the user may change the silo.',
    sessionIdleSeconds: 'Seconds until the session ends if no request uses it; missing for an access token.',
    fleetRole: 'The effective role on the fleet; null without one.',
    siloRole: 'The effective role on the silo; null without one.',
    projectRole:
      'The effective role on the project that the request names; null without one, absent if it names none.',
  },
  CurrentUserPasswordUpdate: {
    currentPassword: 'The password that is valid until now.',
    newPassword: `The new password: at least ${limits.password.min} characters, at most ${limits.password.max} bytes.`,
  },
  SecondFactor: {
    type: 'Whether it is an app with one-time codes (`totp`) or a passkey.',
    timeLastUsed: 'When it last proved a sign-in, RFC 3339 in UTC; absent or null if never.',
  },
  SecondFactorBegin: { type: 'The type of the factor to add.' },
  SecondFactorBegun: {
    secret: 'The secret for an app, in base32. It is shown only once.',
    address: 'The address with the secret that apps read from a QR code.',
    ...question,
    userHandle: 'The user, as authenticators know one.',
    username: 'The name of the user, which authenticators show.',
  },
  SecondFactorConfirm: {
    name: 'The name of the new factor, such as `phone`.',
    proof: 'The proof that the factor works.',
  },
  NewSecondFactor: {
    code: 'The code that the app shows now.',
    credentialId: 'The id of the new passkey, base64url.',
    clientData: 'The client data of the authenticator, base64url.',
    attestation: 'The attestation object of the authenticator, base64url.',
  },
  SecondFactorAdded: {
    factor: 'The new factor.',
    codes: 'The recovery codes, if it is the first factor; else none.',
  },
  SecondFactorChallenge: {
    step: '`prove` if the user has a factor, `add` if the silo requires one that the user does not have.',
    types: 'The types of factors that the step accepts here.',
    passkey: 'The question to an authenticator with a passkey, if there is one for this address.',
  },
  PasskeyChallenge: question,
  SecondFactorProof: {
    code: 'The code that the app shows now, or one of the recovery codes.',
    credentialId: 'The id of the passkey, base64url.',
    clientData: 'The client data of the authenticator, base64url.',
    authenticatorData: 'The data of the authenticator, base64url.',
    signature: 'The signature of the authenticator, base64url.',
  },
  RecoveryCodes: { codes: 'The recovery codes. Each signs in once, in place of a factor.' },
  RecoveryCodesLeft: { left: 'The number of codes that have not been used.' },
  SiloAuthSettings: { deviceTokenMaxTtlSeconds: ttl, secondFactorRequired },
  SiloAuthSettingsUpdate: { deviceTokenMaxTtlSeconds: ttl, secondFactorRequired },
  DeviceAuthRequest: {
    clientId: 'An id that the device chooses for itself and repeats in all requests of the flow.',
    ttlSeconds: tokenTtl,
  },
  DeviceAuthorization: {
    deviceCode: 'The secret code with which the device asks for its token.',
    userCode: 'The code that the user enters to confirm.',
    verificationUri: 'The address at which the user enters the code.',
    expiresIn: 'Seconds until both codes expire.',
    interval: 'Seconds that the device waits between two questions.',
  },
  DeviceAccessToken: accessToken,
  DeviceAccessTokenCreate: {
    name: 'The name of the token, of which the user has no other valid one.',
    ttlSeconds: tokenTtl,
  },
  DeviceAccessTokenValue: { ...accessToken, token: 'The token, which is shown only in this answer.' },
  DeviceAuthVerify: { userCode: 'The code that the device shows.' },
  DeviceAccessTokenRequest: {
    grantType: 'The grant of RFC 8628: `urn:ietf:params:oauth:grant-type:device_code`.',
    deviceCode: 'The secret code that the device got.',
    clientId: 'The id that the device gave when it asked for the codes.',
  },
  DeviceAccessTokenGrant: {
    accessToken: 'The token, which is shown only once.',
    tokenType: 'The kind of token: `bearer`, for the `Authorization` header.',
    tokenId: 'The id of the token, with which it can be deleted.',
  },
  ConsoleSession: {
    timeLastUsed: 'When a request last used the session, RFC 3339 in UTC.',
    address: 'The address that signed in, null if it is not known.',
    userAgent: 'The browser or program that signed in, as it called itself, null if it did not.',
    current: 'Whether this request belongs to the session.',
  },
  SshKey: { publicKey: 'The public key in the format of OpenSSH.' },
  SshKeyCreate: {
    publicKey: `The public key in the format of OpenSSH, at most ${limits.sshKey.publicKey} characters.`,
  },
  ServiceAccount: { disabled },
  ServiceAccountUpdate: { disabled },
  ServiceAccountKey: key,
  ServiceAccountKeyValue: { ...key, key: 'The key, which is shown only in this answer.' },
  ServiceAccountKeyCreate: {
    name: 'The name of the key, of which the account has no other.',
    ttlSeconds: `The validity of the key in seconds: at most as the silo allows, and never more than ${limits.serviceAccount.keyTtl}.`,
    readOnly: 'True for a key that changes nothing, whatever roles the account has; absent or null as false.',
    project:
      'The name or id of the only project that the key is for; absent or null for a key that reaches what its account does.',
  },
  serviceAccountKeyDelete: { keyId: 'The id of the key.' },
  ScimClientBearerToken: scimToken,
  scimTokenCreate: {
    name: `A name for people, at most ${limits.scim.tokenName} characters.`,
    timeExpires:
      'When the token expires, RFC 3339 in UTC; never unless given. One that is made with an access token expires no later than that.',
  },
  ScimClientBearerTokenValue: {
    ...scimToken,
    bearerToken: 'The token, which is shown only in this answer.',
  },
  UserCreate: {
    externalId: 'The username.',
    password: 'The password, or that the user cannot sign in.',
  },
  siloGroupList: { user: 'Only the groups of the user with this id.' },
  siloUserList: { group: 'Only the members of the group with this id.' },
  LocalGroupCreate: { displayName: 'The name of the group, of which there is no other in the silo.' },
  LocalGroupUpdate: { displayName: 'The new name of the group, of which there is no other in the silo.' },
  LocalGroupMembersAdd: {
    userIds: `The ids of users of the silo, at most ${limits.localGroups.adding}.`,
  },
  UserPassword: {
    mode: 'Whether the user signs in with a password or cannot sign in.',
    value: `The password: at least ${limits.password.min} characters, at most ${limits.password.max} bytes.`,
  },
  Policy: {
    roleAssignments: `All assignments of roles to users and groups, at most ${limits.policy.assignments}.`,
  },
  'Policy.roleAssignments': {
    timeExpires:
      'When the assignment expires, RFC 3339 in UTC; in a request, null means never, and absent keeps the present time.',
  },
  accessExplain: {
    identity: 'The id of the user or group.',
    operation: 'The id of an operation, such as `disk_delete`; all roles are listed unless given.',
    resource: `${resource} All roles are listed unless given.`,
  },
  AccessExplanation: {
    groups: 'The groups of the user, by name; of many only the first.',
    groupsOmitted: 'The number of further groups, which are not listed.',
    isComplete: complete,
    allowed: 'Whether the operation is allowed; absent or null if none was asked about.',
    withoutRole: without,
    items: 'The effective roles, each with the ways it is reached.',
    keys: 'The valid keys of a service account, which may do less than its roles allow; absent or null for others, and for callers who may not list them.',
    siloId,
  },
  AccessOfKey: {
    readOnly: 'Whether the key only reads.',
    projectId: 'The only project that the key is for; null for a key without this limit.',
    projectName: 'The name of the project; null if there is none.',
    refusedBy:
      'The limit that keeps the key from the operation: it only reads, it is for one project, or keys make no credentials. Null if none does, or if no operation was asked about.',
  },
  'AccessExplanation.items': {
    level,
    ...seen,
    role: 'The strongest role there.',
    paths: 'The assignments that bring this role.',
  },
  AccessPath: {
    level,
    ...seen,
    group: 'The group that has the role, absent or null if the user itself has it.',
    through: 'How the role applies: assigned, inherited from the silo, or mapped from the silo to the fleet.',
  },
  accessWhoCan: { operation: 'The id of an operation, such as `disk_delete`.', resource },
  AccessHolders: {
    isComplete: complete,
    withoutRole: without,
    items: 'The users, each with the assignments that allow it.',
  },
  'AccessHolders.items': { paths: 'The assignments that allow it.', siloId },
  accessIdentityList: { resource: `${resource} For a project, the assignments on its silo count too.` },
  AccessIdentity: { siloId },
  AccessOperation: {
    operation: 'The id of the operation.',
    summary: 'A short title of the operation.',
    levels: 'The levels on which it can be asked about.',
    allow: 'Any one of these is enough: a role such as `project.viewer`, or a caller who needs none.',
    alsoNeeds: 'A role on the fleet that is needed as well; absent or null for none.',
  },
  ResourceFound: {
    type,
    siloId,
    parents: 'Its parents, from the project down to the direct one; none for an image of the silo.',
  },
  'ResourceFound.parents': { type: 'The type of the parent.' },
  SystemResourceFound: { type, siloId },
  taskList: { user: 'The id of a user, for administrators of the silo; the caller unless given.' },
  scimUserList: { ...scimPage, filter: scimFilter('userName') },
  scimUserView: scimSelection,
  scimGroupList: { ...scimPage, filter: scimFilter('displayName') },
  scimGroupView: scimSelection,
  scimResourceTypeView: { resourceType: 'The name of the type: `User` or `Group`.' },
  scimSchemaView: { schema: 'The id of the schema, which is a URN.' },
  User: {
    fullName: 'The name of the person, as the identity system of the silo has it; absent if it is not known.',
    email: 'The address of e-mail, as the identity system of the silo has it; absent if it is not known.',
    timeDeactivated: 'Since when the user may not sign in, RFC 3339 in UTC; absent for a user who may.',
    timeLastSignedIn:
      'When the user last signed in, RFC 3339 in UTC; absent if that is not known. The user, administrators of the silo and operators see it.',
    serviceAccount: 'True if it is a service account, which never signs in; absent for a person.',
  },
  groupList: { user: 'Only groups that the user with this id is in.' },
  userList: { group: 'Only users in the group with this id.' },
}
