/**
 * Sentences about operations. The first one is an order, such as `Delete a disk.`; others say what a caller should
 * know. They are separate from the definitions, which browsers load.
 */
import { scimOperations } from './scim-operations.ts'
import { verbs, plainName, type PlainKind, type PlainName, type Verb } from '../operations/plain.ts'
import type { OperationName } from '../operations.ts'
import {
  article,
  hasNames,
  kindNames,
  kindOf,
  kinds,
  pluralOf,
  scopeOf,
  type KindName,
} from '../rules/kinds.ts'
import { alertLimits } from '../rules/alerts/limits.ts'
import { importLimits } from '../rules/images/imports.ts'
import { formatBytes, limits } from '../rules/limits.ts'
import { signInSentences } from './sign-in.ts'
import { secondFactors } from './second-factors.ts'
import { ofNetworking } from './networking.ts'
import { ofKept } from './kept.ts'
import { ofLocalUsers } from './local-users.ts'
import { ofSchedules } from './schedules.ts'
import { ofUserData } from './user-data.ts'
import { ofServiceAccounts } from './service-accounts.ts'

type PlainOperation = { [K in PlainKind]: PlainName<K, Verb> }[PlainKind]
/** Every operation has an entry, unless the words follow from its kind and verb. */
type Sentences = Record<Exclude<OperationName, PlainOperation>, string> &
  Partial<Record<Extract<OperationName, PlainOperation>, string>>

const words = (states: readonly string[]): string => {
  const [last, ...rest] = states.map((state) => state.replaceAll('_', ' ')).toReversed()
  return rest.length === 0 ? `${last}` : `${rest.toReversed().join(', ')} or ${last}`
}
/** The states in which the server carries out an action. */
function inStates(kind: KindName, action: string): string {
  const rule = kindOf(kind).actions?.[action]
  if (!rule) throw new Error(`no action ${action} on ${kind}`)
  const { offered, accepted = [], unchanged = [] } = rule
  const rest = unchanged.length === 0 ? '' : ` One that is ${words(unchanged)} stays as it is.`
  return `The ${kind} must be ${words([...offered, ...accepted])}.${rest}`
}

const details = `With external addresses, a page has at most ${limits.page.withDetails} instances.`
const codes = 'Devices sign in by the device flow of RFC 8628.'
const asForm = `The body is a form. ${codes}`
const endsOthers = 'All other sessions and access tokens of the user end.'
const replaces =
  'The new list replaces the old one; send the ETag in If-Match so that no change of others is lost.'
const chunk = formatBytes(limits.bulkWrite.chunk)
const noChange = 'It changes nothing.'
const addresses = inStates('instance', 'changeExternalIps')

const part = formatBytes(limits.update.part)
const verifies =
  'Metadata, signatures and artifacts are verified (The Update Framework); a repository that is refused is not kept.'

const sentences: Sentences = {
  ...secondFactors,
  ping: 'Check that the API answers. No session is needed.',
  logout: 'Sign out.',
  currentUserView: 'Show the signed-in user.',
  currentUserPasswordUpdate: `Change the password of the signed-in local user. ${endsOthers}`,
  currentUserGroups: 'List the groups of the signed-in user.',
  authSettingsView: 'Show how long access tokens in the silo of the signed-in user may be valid.',
  authSettingsUpdate:
    'Set how long new access tokens in the silo of the signed-in user may be valid. Existing ones keep their expiry.',
  currentUserAccessTokenCreate:
    'Create an access token of the signed-in user. Only this answer has the token itself. Only a session makes one: a token that made others would outlive its own end.',
  userTokenList: 'List the access tokens of a user. The tokens themselves are never shown.',
  deviceAuthRequest: `Request the codes with which a device gets an access token. ${asForm}`,
  deviceAuthConfirm: `Let the device that shows a code act as the signed-in user. ${codes}`,
  deviceAccessToken: `Poll until the user has confirmed the code. The access token is in one answer only. ${asForm}`,
  firstStepsView:
    'List the steps to the first running instance, as far as they concern the signed-in user, and whether they are done.',
  firstStepsUpdate: 'Hide the first steps from the signed-in user, or show them again.',
  currentUserListViewsView: 'List the views that the signed-in user has saved for one kind of list.',
  currentUserListViewsUpdate:
    'Replace the views that the signed-in user has saved for one kind of list. Views that are left out are deleted.',
  currentUserListViewsOfAllKinds: 'List the views that the signed-in user has saved for all kinds of lists.',
  groupList: 'List groups of the silo.',
  groupView: 'Show a group.',
  userList: 'List users of the silo.',
  userView: 'Show a user.',
  utilizationView: 'Show what the silo uses of its quota.',
  userSessionList: 'List the sessions of a user.',
  userSessionDelete: 'End a session of a user, and cancel the tasks that were begun in it.',
  userLogout: 'End all sessions and access tokens of a user.',
  siloUserList: 'List the users of a silo.',
  siloUserView: 'Show a user of a silo.',
  userBuiltinList: 'List the built-in users, as which the control plane itself acts.',
  userBuiltinView: 'Show a built-in user, as which the control plane itself acts.',
  localIdpUserCreate: 'Create a local user. The silo must have local users.',
  localIdpUserDelete: 'Delete a local user with its roles, sessions and SSH keys.',
  ...ofLocalUsers,
  ...ofServiceAccounts,
  ...ofSchedules,
  ...ofKept,
  ...ofUserData,
  localIdpUserSetPassword: `Set or remove the password of a local user. ${endsOthers}`,
  loginOptions:
    'Show how the users of a silo sign in: with a password, or with one of its identity providers.',
  ...signInSentences,
  ...scimOperations,
  policyView: 'Show the roles on the silo.',
  policyUpdate: `Replace the roles on the silo. ${replaces}`,
  siloPolicyView: 'Show the roles on a silo.',
  siloPolicyUpdate: `Replace the roles on a silo. ${replaces}`,
  systemPolicyView: 'Show the roles on the fleet.',
  systemPolicyUpdate: `Replace the roles on the fleet. ${replaces} Service accounts that get a stronger one lose their keys.`,
  projectPolicyView: 'Show the roles on a project.',
  projectPolicyUpdate: `Replace the roles on a project. ${replaces}`,
  accessExplain: 'Show the roles of a user or group, whether it may do something, and why.',
  accessWhoCan: 'List the users who have a permission, and the reasons.',
  accessIdentityList:
    'List the users and groups that the policy of a project, silo or fleet names, with their silos.',
  accessOperationList: 'List the operations that questions about access can name.',
  resourceLookUp: 'Look up the resource with an id: its type, its name and its parents.',
  systemResourceLookUp: 'Show the type of a resource and the silo that it belongs to. Its name is not shown.',
  auditLogList: 'List the entries of the audit log.',
  siloAuditLogList: 'List the entries of the audit log that are about the silo.',
  auditLogExport: 'Export entries of the audit log, oldest first. The answer is a stream.',
  siloAuditLogExport:
    'Export the entries of the audit log that are about the silo, oldest first. The answer is a stream.',
  resourceActivity: 'List the actions on a resource, newest first.',
  search:
    'Search all kinds of resources that the caller may list by words of names and descriptions, ids and addresses. The best results come first.',
  nameList: 'List the names of the resources with these ids that the caller may list.',
  listExport: 'Export all rows that a list shows, in its order. The answer is a stream.',
  eventStream:
    'Report changes of the answers at the given addresses. The answer is a stream of server-sent events.',
  tagList:
    'List the keys of tags that are in use in a project, or the values of one key. Without a project, those of the projects and images of the silo.',
  taskCreate: 'Run an action on many resources. The server acts as the user who created the task.',
  taskPreview: `Preview what a task would do. ${noChange}`,
  taskList:
    'List the tasks of the signed-in user or, for administrators, of a user of the silo, newest first.',
  taskView: 'Show a task.',
  taskItemList: 'List the items of a task with their results.',
  taskCancel: 'Cancel a task. Items that are done stay as they are.',
  taskRetry: 'Retry the failed and canceled items of a task, in a new task.',
  projectOverview:
    'Show the number of resources in a project, its share of the silo quota, and its failures.',
  projectDelete: 'Delete a project. It must contain nothing but its default VPC.',
  machineSizeList: 'List the machine sizes of the fleet, which forms offer in silos without their own.',
  machineSizeCreate: `Create a machine size of the fleet, at most ${limits.machineSizes}. Names are unique in the fleet.`,
  siloMachineSizeList: 'List the machine sizes of a silo. While it has any, forms there offer only these.',
  siloMachineSizeCreate: `Create a machine size of a silo, at most ${limits.machineSizes}. Names are unique in the silo.`,
  offeredMachineSizeList:
    'List the machine sizes for new instances: those of the silo of the caller if it has any, otherwise those of the fleet. An instance can have any other size.',
  instanceList: `List instances. ${details}`,
  instanceListOfSilo: `List the instances of all projects that the caller may see. ${details}`,
  instanceCreate:
    'Create an instance. Disks, network interfaces and addresses are created or attached with it, or nothing is.',
  instanceUpdate: `Update an instance. For another size or boot disk, ${inStates('instance', 'resize').replace('T', 't')}`,
  instanceStart: `Start an instance. ${inStates('instance', 'start')}`,
  instanceStop: `Stop an instance. ${inStates('instance', 'stop')}`,
  instanceReboot: `Reset an instance. ${inStates('instance', 'reboot')}`,
  diskSnapshotScheduleView: 'Show the snapshot schedule of a disk.',
  diskSnapshotScheduleUpdate:
    'Set the snapshot schedule of a disk. It runs in the name of the caller, whose permission is checked at each run. The snapshot is made before older ones are deleted.',
  diskSnapshotScheduleDelete: 'Delete the snapshot schedule of a disk. The snapshots that it has made stay.',
  instanceDiskList: 'List disks of an instance.',
  instanceDiskAttach: `Attach a disk. ${inStates('instance', 'attachDisk')} ${inStates('disk', 'attach')}`,
  instanceDiskDetach: `Detach a disk. ${inStates('instance', 'detachDisk')}`,
  instanceSshPublicKeyList: 'List the SSH keys that an instance was created with.',
  instanceSerialConsole:
    'Read serial console output. Exactly one of `from_start` and `most_recent` is needed.',
  instanceSerialConsoleStream: `Open the serial console. It is a WebSocket with binary frames. ${inStates('instance', 'serialConsole')}`,
  instanceDisplay: `Open the screen. It is a WebSocket with binary frames, which carry RFB 3.8 without authentication. Of callers that may not open the serial console, messages other than those that ask for the picture are dropped. An instance without a screen closes it before the first byte, with the reason. ${inStates('instance', 'serialConsole')}`,
  instanceExternalIpList: 'List external addresses of an instance.',
  instanceEphemeralIpAttach: `Give an instance an ephemeral address. ${addresses}`,
  instanceEphemeralIpDetach: `Take the ephemeral address from an instance. ${addresses}`,
  instanceReachability: 'Show whether an instance can reach the outside and be reached from it.',
  instanceAffinityGroupList: 'List affinity groups of an instance.',
  affinityGroupMemberList: 'List members of an affinity group.',
  affinityGroupMemberInstanceView: 'Show a member of an affinity group.',
  affinityGroupMemberInstanceAdd: `Add an instance to an affinity group. ${inStates('instance', 'addToAffinityGroup')}`,
  affinityGroupMemberInstanceDelete: 'Remove an instance from an affinity group.',
  instanceAntiAffinityGroupList: 'List anti-affinity groups of an instance.',
  antiAffinityGroupMemberList: 'List members of an anti-affinity group.',
  antiAffinityGroupMemberInstanceView: 'Show a member of an anti-affinity group.',
  antiAffinityGroupMemberInstanceAdd: `Add an instance to an anti-affinity group. ${inStates('instance', 'addToAffinityGroup')}`,
  antiAffinityGroupMemberInstanceDelete: 'Remove an instance from an anti-affinity group.',
  diskUpdate:
    'Update a disk: its name, its description, its protection from deletion, or a larger size. To become larger, it must be attached or detached. A machine that runs gets the size within seconds.',
  diskRollBack:
    'Make the content of a disk that of one of its snapshots. The disk must be detached, or attached to an instance without a machine.',
  diskBulkWriteImportStart: `Begin to write blocks into a disk. ${inStates('disk', 'startImport')}`,
  diskBulkWriteImport: `Write blocks into a disk. One write has at most ${chunk}. ${inStates('disk', 'importBlocks')}`,
  diskBlocksWrite: `Write bytes into a disk, as they are. One write has at most ${chunk}. ${inStates('disk', 'importBlocks')}`,
  diskBulkWriteImportStop: `End writing blocks into a disk. ${inStates('disk', 'stopImport')}`,
  diskFinalizeImport: `End the import of a disk, with a snapshot of it if one is named. ${inStates('disk', 'finalize')}`,
  imageList: 'List the images of a project or, without one, of the silo.',
  imageCreate: 'Make an image from a snapshot, for a project or, without one, for the silo.',
  imageImportCreate:
    'Import an image: the server fetches it from an address, or a client sends it in parts. It may be raw, an ISO, qcow2, VMDK, VDI, or raw and compressed with gzip, xz or zstd. The image then has the id of the import, which is gone.',
  imageImportDelete: 'Cancel an image import, or remove one that has failed. Its bytes are deleted.',
  imageImportAppend: `Append a part of at most ${formatBytes(importLimits.part)} to an image import. It must begin where the bytes of before end.`,
  imagePromote: 'Promote an image of a project to the silo. All projects of the silo can then use it.',
  imageDemote: 'Demote an image of the silo to a project.',
  imageUpdate: 'Update an image: its name, its description, and its protection from deletion.',
  snapshotCreate: `Take a snapshot of a disk. ${inStates('disk', 'snapshot')} While its instance has a machine, the snapshot is \`creating\` until the guest no longer writes to it.`,
  instanceSnapshotCreate: `Take snapshots of all disks of an instance at one moment, or of none. ${inStates('disk', 'snapshot')} Each is called after this snapshot and its disk.`,
  instanceSnapshotDelete:
    'Delete a snapshot of an instance, with those of its disks. None of them may be protected from deletion.',
  instanceSnapshotRollBack:
    'Make the content of all disks of an instance that of a snapshot of it. It must have no machine, and exactly the disks that the snapshot has.',
  vpcSubnetListNetworkInterfaces: 'List network interfaces in a subnet.',
  vpcFirewallRulesView: 'List the firewall rules of a VPC.',
  vpcFirewallRulesUpdate: `Replace the firewall rules of a VPC. ${replaces}`,
  vpcTrace: `Trace a packet through a VPC, step by step. ${noChange}`,
  vpcEffects: 'List the rules and routes of a VPC that have no effect, and why.',
  vpcPreview:
    'Preview what instances would lose by a change in a VPC, with the rules and routes that refer to the changed resource. It changes nothing.',
  vpcTopology: 'Show the gateways, routers, subnets and interfaces of a VPC and how they are connected.',
  projectIpPoolList: 'List the IP pools that the silo may use.',
  projectIpPoolView: 'Show an IP pool.',
  ipPoolRangeList: 'List the ranges of an IP pool.',
  ipPoolRangeAdd: 'Add a range to an IP pool. It must not overlap any other range, in any pool.',
  ipPoolRangeRemove: 'Remove a range without addresses in use from an IP pool.',
  ipPoolUtilizationView: 'Show how many addresses of an IP pool are free.',
  ipPoolSiloList: 'List the silos that an IP pool is linked to.',
  ipPoolSiloLink: 'Link an IP pool to a silo. The silo can then allocate addresses from it.',
  ipPoolSiloUpdate: 'Make an IP pool the default of a silo, or not.',
  ipPoolSiloUnlink: 'Unlink an IP pool from a silo that uses none of its addresses.',
  ipPoolServiceView: 'Show the IP pool of the control plane itself.',
  ipPoolServiceRangeList: 'List the ranges of the IP pool of the control plane itself.',
  ipPoolServiceRangeAdd: 'Add a range to the IP pool of the control plane itself.',
  ipPoolServiceRangeRemove: 'Remove a range from the IP pool of the control plane itself.',
  systemQuotasList: 'List the quotas of all silos.',
  siloQuotasView: 'Show the quotas of a silo.',
  siloQuotasUpdate:
    'Change the quotas of a silo. A quota may be smaller than what is in use: nothing new can then be created.',
  siloUtilizationList: 'List what silos use of their quotas.',
  siloUtilizationView: 'Show what a silo uses of its quotas.',
  siloContentsView: 'Count what a silo contains, which prevents its deletion.',
  siloIpPoolList: 'List the IP pools that a silo may use.',
  sledListUninitialized: 'List the hosts that were seen in a rack and are not part of the system yet.',
  sledAdd: 'Make a host part of the system. It is named by the part and serial number of its board.',
  hostList: 'List the hosts that have joined the fleet, each with whether it answers.',
  hostView: 'Show a host that has joined the fleet.',
  hostDelete: 'Forget a host. Its sleds must be out of service; servers no longer connect to it.',
  hostJoinCodeList:
    'List the join codes that are not used and have not expired, without the codes themselves.',
  hostJoinCodeCreate:
    'Create a code with which one host can join the fleet. Only this answer has the code itself.',
  hostJoinCodeView: 'Show a join code, without the code itself.',
  hostJoinCodeDelete: 'Revoke a join code.',
  hostJoin:
    'Join the fleet as a host, which proves by an HMAC that it has a join code. Hosts send it; no session is needed.',
  sledSetProvisionPolicy: 'Open or close a sled for new instances. Those that run on it stay there.',
  sledInstanceList: 'List the instances on a sled, of all silos.',
  sledPhysicalDiskList: 'List the disks of a sled, also those that are out of service for good.',
  capacityView:
    'Show the capacity of the fleet: how much is reserved and used, what still fits, and how long it will last.',
  attentionList:
    'List the conditions that need the attention of operators now, critical ones first, each with what to do.',
  systemOverview:
    'Show what operators look at first and no list has: alerts that do not reach their receivers, certificates that expire, and sleds in maintenance.',
  sledMetric: 'Show what a sled used over time, as its host has reported it.',
  sledMaintenanceStart:
    'Begin maintenance of a sled. It is closed for new instances, and a task moves those on it to other sleds. Repeating it goes on with what is left.',
  sledMaintenanceEnd: 'End maintenance of a sled. It takes instances as before, and its task is canceled.',
  sledMaintenancePlan:
    'List the instances of a sled and where each would go, or why it cannot be moved. It changes nothing.',
  sledExpunge:
    'Take a sled out of service for good. It must be empty or missing; instances on a missing one have failed, and restart elsewhere if their policy says so.',
  instanceMove: `Move an instance to another sled while it runs. ${inStates('instance', 'move')}`,
  physicalDiskExpunge: 'Take a disk out of service for good.',
  ...ofNetworking,
  floatingIpAttach: `Attach a floating IP to an instance. ${addresses}`,
  floatingIpDetach: `Detach a floating IP. ${addresses}`,
  timeseriesQuery: `Query timeseries of a project. ${noChange}`,
  systemTimeseriesQuery: `Query timeseries of the fleet. ${noChange}`,
  systemTimeseriesSchemaList: 'List the schemas of timeseries.',
  usageReport: 'Add up what the resources of the silo used from one moment to another.',
  projectUsageReport: 'Add up what the resources of a project used from one moment to another.',
  systemUsageReport: 'Add up what the resources of the fleet or of one of its silos used.',
  usagePricesView: 'Show the prices that reports of use multiply with.',
  usagePricesUpdate: 'Replace the prices of the fleet. Reports use the present ones for any time.',
  siloMetric: 'Show what the silo or one of its projects had provisioned over time.',
  systemMetric: 'Show what the fleet or one of its silos had provisioned over time.',
  systemUpdateTrustRootCreate:
    'Trust the repositories of a publisher. The body is a root document (The Update Framework), which must be signed by its own keys.',
  systemUpdateRepositoryUpload: `Upload the repository of a release, a zip file of at most ${formatBytes(limits.update.repository)}. ${verifies}`,
  systemUpdateStatus: 'Show the target release, and how many components are at which release.',
  targetReleaseUpdate:
    'Set the release that the rack is to run. The components are updated at once, one after another. It must not be older than the present target.',
  systemUpdateComponentList:
    'List the components that releases are installed on, with the version that each has and is to have.',
  systemUpdatePlan:
    'List the steps that an update to a release would take, in their order: the switches one at a time, then the sleds. It changes nothing.',
  systemUpdatePause: 'Pause the update. The step that has begun is finished.',
  systemUpdateResume: 'Resume the update, or try a step again that has failed.',
  systemUpdateUploadCreate: `Begin to upload a repository in parts. An upload that is not finished within ${limits.update.uploadHours} hours is deleted.`,
  systemUpdateUploadAppend: `Append a part of at most ${part} to a repository upload. It must begin where the upload ends.`,
  systemUpdateUploadFinish: `Finish a repository upload, all bytes of which are there. ${verifies}`,
  systemUpdateUploadDelete: 'Cancel a repository upload. Its bytes are deleted.',
  alertClassList: 'List the classes of alerts that receivers can subscribe to.',
  alertList: `List the alerts now and before, newest first. Alerts that have ended are kept for ${alertLimits.days} days, the newest ${alertLimits.kept} at most.`,
  alertView: 'Show an alert.',
  alertAcknowledge: 'Acknowledge an alert, so that others know that an operator is at work on it.',
  alertSilence: 'Silence an alert: until a time, receivers are not notified when its condition begins again.',
  systemBackupFolderView: 'Show the folder of backups and the latest backups in it.',
  systemBackupStart:
    'Begin a backup now. A server must make backups by schedule, which continues from there.',
  systemBackupView: 'Show the schedule of backups, the last backup, and why backups fail.',
  alertReceiverList: 'List the webhooks that receive alerts.',
  alertReceiverView: 'Show a webhook that receives alerts.',
  receiverList: 'List the alert receivers of every kind.',
  receiverView: 'Show an alert receiver of any kind.',
  alertReceiverDelete: 'Delete an alert receiver with its secrets, subscriptions and deliveries.',
  webhookReceiverCreate: `Create an alert receiver that is a webhook. Alerts are sent to it by POST, with a signature by each secret.`,
  webhookReceiverUpdate: 'Update the name, description or endpoint of a webhook.',
  emailReceiverCreate:
    'Create an alert receiver by e-mail. Alerts are sent to its addresses through the SMTP server of the control plane.',
  emailReceiverUpdate: 'Update the name, description or addresses of an alert receiver by e-mail.',
  alertReceiverSubscriptionAdd: 'Subscribe an alert receiver to a class of alerts, or to a glob of classes.',
  alertReceiverSubscriptionRemove: 'Remove a subscription of an alert receiver.',
  webhookSecretsList: 'List the secrets of a webhook, without their texts.',
  webhookSecretsAdd: 'Add a secret to a webhook. Each delivery is signed by all its secrets.',
  webhookSecretsDelete: 'Delete a secret of a webhook. Without secrets, deliveries wait.',
  alertDeliveryList: 'List the deliveries of alerts to a receiver, with their attempts.',
  alertDeliveryResend: 'Send an alert to a receiver again. The receiver must subscribe to its class.',
  probeList:
    'List probes in a project. A probe is an end of the network of a project on a sled, for tests from outside.',
  probeCreate:
    'Create a probe on a sled. It gets an interface in subnet `default` of VPC `default`, and an ephemeral IP.',
  probeView: 'Show a probe with its addresses.',
  probeDelete: 'Delete a probe. Its addresses are released.',
  supportBundleList:
    'List support bundles. A bundle is a zip file with what helps to find a fault, and without secrets.',
  supportBundleCreate:
    'Create a support bundle, which is then collected. There is room for as many as there are U.2 disks.',
  supportBundleUpdate: 'Replace the comment on a support bundle.',
  supportBundleDelete:
    'Delete a support bundle. It is there until its room is free; one that is being collected is canceled.',
  supportBundleIndex: 'List the files in a support bundle as text, one path a line.',
  supportBundleDownload: 'Download a support bundle, or a part of it.',
  supportBundleHead: 'Show the size of a support bundle, as headers.',
  supportBundleDownloadFile: 'Download a single file in a support bundle, or a part of it.',
  supportBundleHeadFile: 'Show the size of a single file in a support bundle, as headers.',
  alertReceiverProbe: 'Send a probe to a receiver at once, and answer how that went.',
}

const scopeWords: Partial<Record<string, string>> = {
  silo: ' of the silo',
  namedSilo: ' of a silo',
  siloUser: ' of the signed-in user',
  instance: ' of an instance',
  vpc: ' of a VPC',
  vpcRouter: ' of a router',
  internetGateway: ' of an internet gateway',
}

const withArticle = (noun: string) => `${article(noun)} ${noun}`

/** The words for an operation of a kind that its verb explains. */
function plainSentence(kind: PlainKind, verb: Verb): string {
  const { noun, actions } = kindOf(kind)
  const { parent } = kinds[kind]
  const one = withArticle(noun)
  switch (verb) {
    case 'List':
      return `List ${pluralOf(noun)}${scopeWords[scopeOf(kind)] ?? ''}.`
    case 'Create': {
      const within = parent === null ? '' : ` within ${withArticle(kinds[parent].noun)}`
      return hasNames(kind)
        ? `Create ${one}. Names of ${pluralOf(noun)} are unique${within}.`
        : `Create ${one}.`
    }
    case 'View':
      return `Show ${one}.`
    case 'Update':
      return `Update ${one}.`
    case 'Delete':
      return `Delete ${one}.${actions?.['delete'] ? ` ${inStates(kind, 'delete')}` : ''}`
  }
}
const plainSentences: Readonly<Record<string, string>> = Object.fromEntries(
  kindNames.flatMap((kind) => verbs.map((verb) => [plainName(kind, verb), plainSentence(kind, verb)])),
)

/** The sentences about an operation. */
export const aboutOperation = (name: OperationName): string => sentences[name] ?? plainSentences[name] ?? ''

/** The order without its full stop: `Delete a disk`. */
export const titleOf = (name: OperationName): string =>
  /^.*?(?=\.(?: |$))/.exec(aboutOperation(name))?.[0] ?? ''
