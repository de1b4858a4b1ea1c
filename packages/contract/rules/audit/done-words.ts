/** Operations of the audit log as people say what was done. */
import { kinds, kindsWith } from '../kinds.ts'
import { protectedKinds } from '../lists.ts'
import { snake } from '#/wire.ts'
import type { OperationName } from '#/operations.ts'

const past: Readonly<Record<string, string>> = {
  acknowledge: 'acknowledged',
  activate: 'activated',
  add: 'added',
  attach: 'attached',
  cancel: 'cancelled',
  create: 'created',
  deactivate: 'deactivated',
  delete: 'deleted',
  demote: 'demoted',
  detach: 'detached',
  disable: 'disabled',
  enable: 'enabled',
  expunge: 'expunged',
  link: 'linked',
  move: 'moved',
  pause: 'paused',
  promote: 'promoted',
  reboot: 'rebooted',
  remove: 'removed',
  replace: 'replaced',
  resume: 'resumed',
  retry: 'retried',
  silence: 'silenced',
  start: 'started',
  stop: 'stopped',
  unlink: 'unlinked',
  update: 'edited',
}

/** The operations that a verb and a noun do not describe. */
const special: Partial<Record<OperationName, string>> = {
  ...Object.fromEntries(
    kindsWith('isTagged').map((kind) => [`${kind}TagsChange`, `changed tags of ${kinds[kind].noun}`]),
  ),
  ...Object.fromEntries(
    protectedKinds.map((kind) => [`${kind}ProtectionUpdate`, `changed protection of ${kinds[kind].noun}`]),
  ),
  affinityGroupMemberInstanceAdd: 'added instance to affinity group',
  affinityGroupMemberInstanceDelete: 'removed instance from affinity group',
  alertDeliveryResend: 'sent alert again',
  alertReceiverProbe: 'tested alert receiver',
  antiAffinityGroupMemberInstanceAdd: 'added instance to anti-affinity group',
  antiAffinityGroupMemberInstanceDelete: 'removed instance from anti-affinity group',
  authSettingsUpdate: 'edited sign-in settings',
  currentUserListViewsUpdate: 'saved list views',
  currentUserPasswordUpdate: 'changed own password',
  currentUserRecoveryCodesReplace: 'replaced own recovery codes',
  currentUserSecondFactorBegin: 'began to set up own second factor',
  currentUserSecondFactorConfirm: 'set up own second factor',
  deviceAccessToken: 'created access token for a device',
  deviceAuthConfirm: 'confirmed device sign-in',
  deviceAuthRequest: 'requested device sign-in',
  diskBlocksWrite: 'wrote to disk',
  diskBulkWriteImport: 'wrote to disk',
  diskBulkWriteImportStart: 'started disk import',
  diskBulkWriteImportStop: 'stopped disk import',
  diskFinalizeImport: 'finished disk import',
  diskRollBack: 'rolled back disk',
  scheduleRun: 'ran schedule',
  instanceSnapshotRollBack: 'rolled back to instance snapshot',
  firstStepsUpdate: 'dismissed first steps',
  hostJoin: 'joined as a host',
  imageDemote: 'demoted silo image',
  imageImportAppend: 'uploaded part of image',
  instanceDiskAttach: 'attached disk to instance',
  instanceDiskDetach: 'detached disk from instance',
  instanceEphemeralIpAttach: 'attached ephemeral IP to instance',
  instanceEphemeralIpDetach: 'detached ephemeral IP from instance',
  instanceSerialConsoleStream: 'opened serial console of instance',
  instanceDisplay: 'opened screen of instance',
  ipPoolSiloLink: 'linked IP pool to silo',
  ipPoolSiloUnlink: 'unlinked IP pool from silo',
  ipPoolSiloUpdate: 'edited IP pool of silo',
  localIdpUserResetSecondFactor: 'reset second factor of user',
  localIdpUserSetPassword: 'set password of user',
  loginLocal: 'signed in with a password',
  loginOidc: 'signed in with OpenID Connect',
  loginOidcLogout: 'signed out at the identity provider',
  loginSaml: 'signed in with SAML',
  loginSecondFactor: 'signed in with a second factor',
  loginSecondFactorBegin: 'began to set up a second factor at sign-in',
  loginSecondFactorConfirm: 'set up a second factor at sign-in',
  logout: 'signed out',
  networkingAllowListConfirm: 'confirmed allowed sources',
  networkingAllowListRollBack: 'rolled back allowed sources',
  networkingAllowListUpdate: 'edited allowed sources',
  networkingSwitchChangeConfirm: 'confirmed change of switches',
  networkingSwitchChangeRollBack: 'rolled back change of switches',
  networkingSwitchPortApplySettings: 'applied settings to switch port',
  networkingSwitchPortClearSettings: 'cleared settings of switch port',
  policyUpdate: 'changed access to silo',
  projectPolicyUpdate: 'changed access to project',
  scimTokenDeleteAll: 'deleted all SCIM tokens',
  signInTestBegin: 'began test of sign-in',
  siloPolicyUpdate: 'changed access to silo',
  siloQuotasUpdate: 'edited quotas of silo',
  sledMaintenanceEnd: 'ended maintenance of sled',
  sledMaintenanceStart: 'started maintenance of sled',
  sledSetProvisionPolicy: 'changed provision policy of sled',
  systemPolicyUpdate: 'changed access to fleet',
  systemUpdateRepositoryUpload: 'uploaded update repository',
  systemUpdateUploadAppend: 'uploaded part of update repository',
  systemUpdateUploadFinish: 'finished upload of update repository',
  targetReleaseUpdate: 'set target release',
  taskCreate: 'started task',
  userLogout: 'signed out user',
}
const specials = new Map(Object.entries(special).map(([name, words]) => [snake(name), words]))

/** Parts of names that say where an operation stands, and nothing to people. */
const places = /^(?:networking|current_user|system|local_idp)_/
const abbreviations = /\b(?:ip|vpc|ssh|id|idp|scim|saml|oidc|bgp|bfd|lldp|icmp)\b/g

/** `disk_create` as `created disk`. An operation that this console does not know: `disk frobnicate`. */
export function doneWords(operationId: string): string {
  const known = specials.get(operationId)
  if (known !== undefined) return known
  const at = operationId.lastIndexOf('_')
  const verb = past[operationId.slice(at + 1)]
  const noun = (verb === undefined ? operationId : operationId.slice(0, at))
    .replace(places, '')
    .replaceAll('_', ' ')
    .replaceAll(abbreviations, (word) => word.toUpperCase())
    .replaceAll('anti affinity', 'anti-affinity')
  return verb === undefined ? noun : `${verb} ${noun}`
}

/** Whether there are words for an operation, as the tests demand of all that are recorded. */
export const hasDoneWords = (operationId: string): boolean =>
  specials.has(operationId) || operationId.slice(operationId.lastIndexOf('_') + 1) in past
