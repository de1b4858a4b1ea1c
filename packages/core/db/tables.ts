/**
 * The tables, one interface each. Ids are UUIDs as text, times are milliseconds since 1970, flags are
 * 0 or 1, `*Key` columns hold addresses in the sortable form of contract/rules/ip.ts, `*Json` text is JSON.
 * Rows are deleted for real: a name is free at once and an id never comes back.
 */
import type { ScheduleAction } from '@purlin/contract/rules/time/schedules'
import type { StepOperation, TaskAction, TaskKind } from '@purlin/contract/rules/tasks'
import type { AttentionKind, DeliveryState, DeliveryTrigger } from '@purlin/contract/rules/alerts/classes'
import type { Severity } from '@purlin/contract/rules/alerts/attention'
import type {
  CpuFamily,
  DiskHealth,
  FormFactor,
  LinkState,
  ProvisionPolicy,
} from '@purlin/contract/rules/hardware'
import type { HostState } from '@purlin/contract/rules/credentials/hosts'
import type { BfdMode, LotKind, PortGeometry, SwitchLocation } from '@purlin/contract/rules/networking'
import type { ImageFormat } from '@purlin/contract/rules/images/formats'
import type { ImageImportState } from '@purlin/contract/rules/images/imports'
import type { ListedType } from '@purlin/contract/operations/lists/list-views'
import type { FactorType } from '@purlin/contract/rules/credentials/second-factors'
import type { DiskState, InstanceState, SnapshotState } from '@purlin/contract/rules/states'
import type { SupportBundleState } from '@purlin/contract/rules/support-bundles'
import type { RollOutPhase, UnitKind } from '@purlin/contract/rules/updates'
import type { metricNames } from '@purlin/contract/rules/timeseries'
import type { CompiledQuery, Kysely } from 'kysely'

export interface Identity {
  id: string
  name: string
  description: string
  timeCreated: number
  timeModified: number
}

/** A resource that people find by its tags. */
export interface Tagged {
  /** Its tags, an object of texts in the order of their keys, which the table `tag` has too; null without any. */
  tagsJson: string | null
}
/** A resource that people keep. */
export interface Kept extends Tagged {
  /** 1 if it is protected from deletion, null if not. */
  isProtected: number | null
}
/** A resource whose last use is known. */
export interface Used {
  /**
   * Of a disk or an address when it was last detached, of a snapshot or an image when something was last made from it. 0 for
   * never, and from the time when it was not recorded. No row has null any more.
   */
  timeLastUsed: number | null
}
/** A tag of a resource, by which it is found. */
export interface TagTable {
  resourceId: string
  /** as in contract/rules/kinds.ts */
  kind: string
  /** of what the resource is in: a project, or a silo */
  holderId: string
  key: string
  value: string
}

export interface SiloTable extends Identity {
  identityMode: 'local_only' | 'saml_jit' | 'saml_scim'
  discoverable: number
  /** silo role → fleet roles, JSON object of arrays */
  mappedFleetRolesJson: string
  adminGroupName: string | null
  quotaCpus: number | bigint
  quotaMemory: number | bigint
  quotaStorage: number | bigint
  rcgen: number
  /** How long new access tokens may be valid, s; null without end. */
  deviceTokenMaxTtl: number | null
  /** 1 if local users need a second factor; null as 0. */
  needsSecondFactor: number | null
}
export interface SiloUserTable {
  id: string
  siloId: string
  externalId: string
  displayName: string
  passwordHash: string | null
  /** 1 for the user that a service account is to policies and groups, who never signs in; null for a person. */
  isServiceAccount: number | null
  /** Since when the user may not sign in; null for one who may. */
  timeDeactivated: number | null
  /** 0 for never, and from the time when sign-ins were not kept. No row has null any more. */
  timeLastSignedIn: number | null
  timeCreated: number
  timeModified: number
  /** The name without regard to case, which is unique in a silo; null where no identity system manages users. */
  nameKey: string | null
  /** The id by which the identity system knows the user. */
  providerKey: string | null
  /** A `Profile`: what the identity system says of the person. */
  profileJson: string | null
}
export interface SiloGroupTable {
  id: string
  siloId: string
  displayName: string
  timeCreated: number
  timeModified: number
  /** The name without regard to case, which is unique in a silo; null where no identity system manages groups. */
  nameKey: string | null
  /** The id by which the identity system knows the group. */
  providerKey: string | null
}
export interface GroupMemberTable {
  groupId: string
  userId: string
}
export interface RoleAssignmentTable {
  resourceType: 'fleet' | 'silo' | 'project'
  resourceId: string
  identityType: 'silo_user' | 'silo_group'
  identityId: string
  roleName: 'admin' | 'collaborator' | 'viewer'
  /** It counts until then; null without end. */
  timeExpires: number | null
}
/** The words of the names of users and groups, in lower case, by which they are found. */
export interface PrincipalWordTable {
  siloId: string
  word: string
  /** of the user or group */
  principalId: string
}
/** Further attributes by which an identity system finds users, in lower case. */
export interface PrincipalKeyTable {
  siloId: string
  attribute: string
  value: string
  /** of the user */
  principalId: string
}
export interface SessionTable {
  id: string
  /** SHA-256 of the token, hex: the token itself is never stored. */
  tokenHash: string
  siloUserId: string
  timeCreated: number
  timeLastUsed: number
  /** The identity provider of OpenID Connect that the user has signed in with, how it names the user, and its session. */
  providerId: string | null
  providerSubject: string | null
  providerSession: string | null
  /** The client that signed in; null if it is not known. */
  address: string | null
  userAgent: string | null
}
export interface AccessTokenTable {
  id: string
  /** SHA-256 of the token, hex: the token itself is never stored. */
  tokenHash: string
  siloUserId: string
  timeCreated: number
  /** Null: it does not expire. */
  timeExpires: number | null
  /** The name that it was given when it was made; null for one of the device flow. */
  label: string | null
  /** 1 if it changes nothing; null as 0. */
  isReadOnly: number | null
  /** The project that it is limited to; null without such a limit. */
  onlyProjectId: string | null
  /** When a request last used it, to the minute; null for never. */
  timeLastUsed: number | null
}
/** An account for programs. Its user has the same id. */
export interface ServiceAccountTable extends Identity {
  siloId: string
  /** 1 if it has no keys and gets none; the user is deactivated too. */
  isDisabled: number
}
/** A device that asks for an access token. */
export interface DeviceRequestTable {
  id: string
  /** SHA-256 of the codes, hex: the codes themselves are never stored. */
  deviceCodeHash: string
  userCodeHash: string
  clientId: string
  /** The lifetime of the token, s: as requested, and as granted once a user has confirmed. */
  ttl: number | null
  /** The user who has confirmed; null until then. */
  siloUserId: string | null
  timeCreated: number
}
/** The credential with which a program manages the users and groups of a silo. */
export interface ScimTokenTable {
  id: string
  siloId: string
  /** SHA-256 of the token, hex: the token itself is never stored. */
  tokenHash: string
  timeCreated: number
  timeExpires: number | null
  /** Its name for people; null for one without. */
  label: string | null
  /** When a request last used it, to the minute; null for never. */
  timeLastUsed: number | null
}
/** A way for the users of a silo to sign in. */
export interface IdentityProviderTable extends Identity {
  siloId: string
  providerType: 'saml' | 'oidc'
}
/** The part of an identity provider that is about SAML, under its id. */
export interface SamlProviderTable {
  id: string
  entityId: string
  serviceEntityId: string
  acsUrl: string
  sloUrl: string
  contactEmail: string
  groupAttribute: string | null
  publicCert: string | null
  /** Base64 of DER. No answer has it. */
  privateKey: string | null
  signOnUrl: string
  /** An array of `SamlCertificate`. */
  certificatesJson: string
  metadataUrl: string | null
  timeRead: number
  /** When its metadata is read again; null if it was given as XML. */
  timeDue: number | null
  /** Why that was not possible the last time. */
  failure: string | null
}
/** The part of an identity provider that is about OpenID Connect, under its id. */
export interface OidcProviderTable {
  id: string
  issuer: string
  clientId: string
  /** No answer has it. */
  clientSecret: string
  /** An array of texts. */
  scopesJson: string
  nameClaim: string
  groupsClaim: string | null
  /** An `OidcMetadata`. */
  metadataJson: string
  timeRead: number
  /** When its metadata is read again. */
  timeDue: number
  /** Why that was not possible the last time. */
  failure: string | null
}
/** An answer of an identity provider of any protocol that has been accepted: another server does not accept it again. */
export interface SamlAnswerTable {
  /** The fingerprint of the provider and of the answer's id. */
  key: string
  timeForgotten: number
}
/** A test of an identity provider by an administrator. */
export interface SignInTestTable {
  id: string
  /** The id of the request that the provider answers. */
  requestId: string
  providerId: string
  siloUserId: string
  /** The session that has begun it. */
  sessionId: string
  timeCreated: number
  timeExpires: number
  /** A `TestOutcome`; null until there is an answer. */
  outcomeJson: string | null
}
/** A size that forms offer: of all silos without their own. */
export interface MachineSizeTable extends Identity {
  ncpus: number
  memory: number
}
/** A size that forms offer in a silo, instead of those of the fleet. */
export interface SiloMachineSizeTable extends MachineSizeTable {
  siloId: string
}
export interface SshKeyTable extends Identity {
  siloUserId: string
  publicKey: string
}
/** A second factor of a local user. Binary values are base64url. */
export interface SecondFactorTable extends Identity {
  siloUserId: string
  type: FactorType
  timeLastUsed: number | null
  /** Of one-time codes, in base32: codes are computed from it, so it is stored as it is. */
  secret: string | null
  /** The number of the 30 s that the last code was for: none counts twice. */
  lastStep: number | null
  /** Of a passkey: its id, its public key, how often it was used, and the host name that it is for. */
  credential: string | null
  publicKey: string | null
  counter: number | null
  host: string | null
}
/** A recovery code that has not been used. */
export interface RecoveryCodeTable {
  siloUserId: string
  /** SHA-256 of the code, hex: the code itself is never stored. */
  codeHash: string
}
/** A sign-in after its password, or the addition of a factor. */
export interface SignInChallengeTable {
  /** SHA-256 of the token in the cookie of the sign-in, hex, or the session that adds a factor. */
  id: string
  siloUserId: string
  step: 'prove' | 'add'
  /** Wrong answers so far. */
  wrong: number
  /** The question to authenticators. */
  challenge: string
  /** Of one-time codes that are added. */
  secret: string | null
  timeExpires: number
}
/** How a person looks at the lists of a kind. */
export interface ListViewTable {
  userId: string
  kind: ListedType
  viewsJson: string
}
export interface CertificateTable extends Identity {
  siloId: string
  /** The chain, and the private key of its first certificate. */
  certPem: string
  keyPem: string
  subject: string
  issuer: string
  dnsNamesJson: string
  notBefore: number
  notAfter: number
  /** The last stage of its expiry for which the log has a warning. */
  toldStage: number | null
}
export interface ProjectTable extends Identity, Kept {
  siloId: string
  rcgen: number
}
/** The usage of a project, a silo or the fleet. Its id is the key. */
export interface UsageTable {
  id: string
  cpus: number | bigint
  memory: number | bigint
  storage: number | bigint
}
/** The use of a resource from one moment to another, at one size and with the same tags: decision 0103. */
export interface UsagePeriodTable {
  resourceId: string
  /** In whole seconds, ms since 1970. */
  timeBegan: number
  /** The same; null while it goes on. */
  timeEnded: number | null
  inSilo: string
  inProject: string
  cpus: number
  memoryGib: number
  storageGib: number
  addresses: number
}
/** A tag that a resource had in a period of its use. */
export interface UsageTagTable {
  resourceId: string
  timeBegan: number
  key: string
  value: string
}
/** The last name of a project or silo that was deleted, for reports about its time. */
export interface FormerNameTable {
  id: string
  name: string
  timeDeleted: number
}
/** The prices of the fleet, in millionths of the currency; null for what costs nothing. */
export interface UsagePricesTable {
  id: string
  /** Null without prices. */
  currency: string | null
  cpuHour: number | null
  memoryGibHour: number | null
  storageGibHour: number | null
  addressHour: number | null
  timeModified: number | null
}
/** The number of resources of a kind in a silo, project or VPC, or of a user. */
export interface TallyTable {
  holderId: string
  /** as in contract/rules/kinds.ts */
  kind: string
  count: number
  /** Of a project: how many of its silo's are set aside for it. Zero or null otherwise. */
  reserved: number | null
}
export interface VpcTable extends Identity, Kept {
  projectId: string
  vni: number
  systemRouterId: string
  ipv6Prefix: string
  dnsName: string
  rcgen: number
}
/** The pushed network of a VPC. Its version increases when the digest of the network changes. */
export interface VpcNetworkTable {
  vpcId: string
  version: number
  digest: string
}
export interface VpcRouterTable extends Identity, Tagged {
  projectId: string
  vpcId: string
  kind: 'system' | 'custom'
}
export interface RouterRouteTable extends Identity {
  projectId: string
  vpcRouterId: string
  kind: 'default' | 'vpc_subnet' | 'vpc_peering' | 'custom'
  destinationJson: string
  targetJson: string
  /** The subnet whose route this is, for kind vpc_subnet. */
  subnetId: string | null
}
export interface VpcSubnetTable extends Identity, Tagged {
  projectId: string
  vpcId: string
  ipv4Block: string
  ipv6Block: string
  customRouterId: string | null
  /** Lowest address never given out automatically yet. */
  nextKey: string
  rcgen: number
}
export interface VpcFirewallRuleTable extends Identity {
  projectId: string
  vpcId: string
  status: 'enabled' | 'disabled'
  direction: 'inbound' | 'outbound'
  targetsJson: string
  filtersJson: string
  action: 'allow' | 'deny'
  priority: number
}
export interface InternetGatewayTable extends Identity, Tagged {
  projectId: string
  vpcId: string
}
export interface InternetGatewayIpPoolTable extends Identity {
  projectId: string
  internetGatewayId: string
  ipPoolId: string
}
export interface InternetGatewayIpAddressTable extends Identity {
  projectId: string
  internetGatewayId: string
  ipKey: string
}
/** An interface of an instance or a probe. */
export interface NetworkInterfaceTable extends Identity {
  projectId: string
  owner: 'instance' | 'probe'
  /** of its owner */
  instanceId: string
  vpcId: string
  subnetId: string
  /** low 24 bits of the MAC address A8:40:25:xx:xx:xx */
  mac: number
  ipKey: string
  slot: number
  isPrimary: number
  transitIpsJson: string
}
/** An end of a project's network on a sled that an operator chose. */
export interface ProbeTable extends Identity, Tagged {
  projectId: string
  sledId: string
  /** of its interface */
  subnetId: string
}
export interface IpPoolTable extends Identity {
  rcgen: number
  /** `v6` or, also if null, `v4` */
  ipVersion: string | null
  /** `service` of a pool with addresses of the control plane itself */
  purpose: string | null
}
export interface IpPoolRangeTable {
  id: string
  ipPoolId: string
  firstKey: string
  lastKey: string
  /** Lowest address never given out automatically yet; past `lastKey` when used up. */
  nextKey: string
  timeCreated: number
}
export interface IpPoolSiloTable {
  ipPoolId: string
  siloId: string
  isDefault: number
}
/** Addresses given back below a space's `nextKey`. A space is a subnet or an IP pool. */
export interface FreedAddressTable {
  spaceId: string
  ipKey: string
}
/** Free quarters of addresses that source NAT has taken from a pool. */
export interface SnatBlockTable {
  ipPoolId: string
  ipKey: string
  firstPort: number
}
export interface ExternalIpTable extends Kept, Used {
  id: string
  kind: 'snat' | 'ephemeral' | 'floating'
  ipKey: string
  ipPoolId: string
  projectId: string
  /** of the instance or the probe that it is attached to */
  instanceId: string | null
  firstPort: number
  lastPort: number
  /** Floating IPs only; the id otherwise, to keep (project, name) unique. */
  name: string
  description: string
  timeCreated: number
  timeModified: number
}
export interface InstanceTable extends Identity, Kept {
  projectId: string
  siloId: string
  ncpus: number
  memory: number
  hostname: string
  /** base64 */
  userData: string
  runState: InstanceState
  timeRunStateUpdated: number
  /** Grows by one with every change of runtime state; a write of an older state loses. */
  generation: number
  bootDiskId: string | null
  autoRestartPolicy: 'never' | 'best_effort' | null
  timeLastAutoRestarted: number | null
  cpuPlatform: 'amd_milan' | 'amd_turin' | null
  /** The hardware of its machine, by the driver's name for it; null before its first boot. */
  machineType: string | null
  /** The state that the loop works towards. */
  desired: 'running' | 'stopped'
  /** The state that its owner requested last; automatic restart needs `running`. */
  intended: 'running' | 'stopped' | 'guest_shutdown'
  /** Reservation: the sled that has (or will have) its machine. */
  sledId: string | null
  /** While an operator moves it to another sled, or stops it because that is not possible. */
  migrationId: string | null
  /** Reservation: the sled that it is moved to. */
  migrationSledId: string | null
  boot: number
  /** The boot whose machine is powered off without a shutdown. */
  forcedBoot: number | null
  reset: number
  /** Newest report of the current boot that has been stored. */
  seq: number
  /** Increases with every change of the layers of its disks while it has a machine; null as 0. */
  storage: number | null
  /** The `storage` that its machine writes to, as far as that has been stored; null as 0. */
  storageConfirmed: number | null
  /** When the loop should check it; null when settled. */
  dueAt: number | null
  attempts: number
  /** Why the last start failed, for people. */
  lastError: string | null
}
export interface InstanceSshKeyTable {
  instanceId: string
  sshKeyId: string
}
export interface DiskTable extends Identity, Kept, Used {
  projectId: string
  siloId: string
  size: number
  blockSize: number
  snapshotId: string | null
  imageId: string | null
  state: DiskState
  instanceId: string | null
  slot: number | null
  generation: number
  /** The layer that writes go to; null while it has no bytes and no parent layer. */
  layerId: string | null
}
export interface TrustRootTable {
  id: string
  /** The root document as JSON. */
  document: string
  timeCreated: number
}
/** A repository that was verified. */
export interface UpdateRepositoryTable {
  id: string
  systemVersion: string
  /** Orders the versions. */
  versionKey: string
  /** SHA-256 of the zip file, hex */
  hash: string
  fileName: string
  /** Its file in the store of updates. */
  fileId: string
  size: number
  timeCreated: number
  trustRootId: string
  /** Of the last root document of its chain. */
  rootVersion: number
  /** Its metadata as JSON: that of newer repositories must not be older. */
  timestamp: string
  snapshot: string
}
export interface UpdateArtifactTable {
  repositoryId: string
  kind: string
  name: string
  version: string
  hash: string
  size: number
}
/** A repository that is being uploaded. Its file in the store of updates has the same id. */
export interface UpdateUploadTable {
  id: string
  fileName: string
  /** Null if it is sent in one request. */
  size: number | null
  /** Bytes that are stored. */
  received: number
  timeCreated: number
  timeExpires: number
}
/** A component that releases are installed on, as the hardware reports it. */
export interface UpdateComponentTable {
  id: string
  /** As artifacts name it: `host_os`. */
  kind: string
  /** The switch or sled that it is part of. */
  unitKind: UnitKind
  unitId: string
  version: string | null
  /** When this version was reported first. */
  versionSince: number
  missingSince: number | null
}
/** The roll-out of the target release: one row. */
export interface RollOutTable {
  id: 'rack'
  /** The administrator in whose name sleds are emptied. */
  userId: string
  pausedSince: number | null
  /** When the last step was planned. */
  timeLastStep: number
  /** The step that has begun; null between steps. */
  unitKind: UnitKind | null
  unitId: string | null
  phase: RollOutPhase | null
  phaseSince: number | null
  /** 1 if the maintenance of the sled began for this step, and ends with it. */
  hasMaintenance: number
  waitsFor: string | null
  waitsSince: number | null
}
/** The schedule of backups: one row, or none. */
export interface BackupScheduleTable {
  id: 'schedule'
  everyMs: number
  timeDue: number
  /** The last backup that was made. */
  timeDone: number | null
  backupId: string | null
  /** All bytes of it. */
  bytes: number | null
  /** Why the last attempts have failed, and since when they do. */
  failure: string | null
  failedSince: number | null
}
/** A release that the rack was to run; the one with the highest generation is the target. */
export interface TargetReleaseTable {
  generation: number
  systemVersion: string
  timeRequested: number
}
/** Bytes in the store of blobs. The rows that name a layer, as theirs or as parent, keep it there. */
export interface LayerTable {
  id: string
  parentId: string | null
  timeCreated: number
  /** 1 if it has bytes, which must then exist; null before the first write. */
  hasBytes: number | null
}
export interface SnapshotTable extends Identity, Kept, Used {
  projectId: string
  siloId: string
  diskId: string
  size: number
  blockSize: number
  state: SnapshotState
  /** Never written again; null if it has only zeros. */
  layerId: string | null
  /** The schedule of its disk or project that has made it, which deletes it when it is old; the schedule may be gone. */
  scheduleId: string | null
  /** The snapshot of an instance that it is a part of; null for a single one. */
  instanceSnapshotId: string | null
  /** While a guest still writes to its layer: the `storage` of the instance from which on it does not. */
  storage: number | null
}
/** Snapshots of all disks of an instance at one moment. It has at least one, and is gone with the last one. */
export interface InstanceSnapshotTable extends Identity, Kept {
  projectId: string
  instanceId: string
  /** The schedule of the project that has made it; the schedule may be gone. */
  scheduleId: string | null
}
/** A setting of a disk. */
export interface SnapshotScheduleTable {
  id: string
  diskId: string
  /** In whose name it runs; the user may be gone. */
  userId: string
  everyHours: number
  timeFirstRun: number
  /** Null for UTC. */
  timeZone: string | null
  keep: number
  timeCreated: number
  timeModified: number
  /** Null while it is paused. */
  timeDue: number | null
  /** A server makes the snapshot that is due until then. */
  leaseUntil: number
  timeLastRun: number | null
  lastError: string | null
  failedSince: number | null
}
/** It starts or stops instances at times, or takes snapshots of instances or disks. */
export interface ScheduleTable extends Identity, Tagged {
  projectId: string
  /** In whose name it runs; the user may be gone. */
  userId: string
  action: ScheduleAction
  /** One of four is not null: the ids of its instances or disks, as JSON, or a tag that they have. */
  instancesJson: string | null
  tag: string | null
  disksJson: string | null
  diskTag: string | null
  /** A `Retention` as JSON, if it takes snapshots. */
  keepJson: string | null
  /** A `TimeRule` as JSON. */
  ruleJson: string
  timeZone: string
  /** Null while it is paused. */
  timeDue: number | null
  /** A server begins the run that is due until then. */
  leaseUntil: number
  timeLastRun: number | null
  lastError: string | null
  failedSince: number | null
  /** That of the last run. */
  taskId: string | null
}
/** A template of user data. */
export interface UserDataTemplateTable extends Identity, Kept {
  projectId: string
  text: string
  /** Its fields as JSON, without those that have their defaults. */
  fieldsJson: string
  /** For lists, which do not read them. Null in none that this version has written or migrated. */
  fieldCount: number | null
}
export interface ImageTable extends Identity, Kept, Used {
  siloId: string
  projectId: string | null
  /** The project or, for a silo image, the silo: names are unique in it. */
  scopeId: string
  os: string
  version: string
  size: number
  blockSize: number
  /** SHA-256, hex; null until it has been computed */
  digest: string | null
  /** When a server should compute it. */
  digestDueAt: number | null
  layerId: string | null
}
/** Protection and tags are those of the image. */
export interface ImageImportTable extends Identity, Kept {
  siloId: string
  projectId: string
  os: string
  version: string
  blockSize: number
  /** Null for an upload. */
  url: string | null
  /** The SHA-256 that the file must have, in hex. */
  sha256: string | null
  state: ImageImportState
  /** Null until it is known. */
  format: ImageFormat | null
  /** Why it has failed, or waits for another attempt. */
  problem: string | null
  /** The file; another one after a new beginning. */
  fileId: string
  /** Bytes of the file that are on stable storage. */
  received: number
  /** Bytes of the whole file; null if its server does not say. */
  size: number | null
  /** Its server recognises the same file by it: an ETag or a date. */
  validator: string | null
  /** Attempts since the last progress. */
  attempts: number
  /** When a server should work on it; the end of a server's claim while one does. Null for a client's turn. */
  dueAt: number | null
  /** The layer that the disk is unpacked into. */
  layerId: string | null
  /** Bytes that its project, silo and fleet are charged now. Null is nothing. */
  charged: number | null
}
export interface FirstStepsTable {
  siloUserId: string
  timeDismissed: number
}
export interface AffinityGroupTable extends Identity, Tagged {
  projectId: string
  kind: 'affinity' | 'anti_affinity'
  policy: 'allow' | 'fail'
}
export interface AffinityMemberTable {
  groupId: string
  instanceId: string
}
/** When hardware last reported a row, and since when it has not. Null in rows of a version that did not know. */
interface Reported {
  timeReported: number | null
  missingSince: number | null
}
export interface RackTable extends Reported {
  id: string
  serial: string
  timeCreated: number
  timeModified: number
}
export interface SledTable extends Reported {
  id: string
  serial: string
  part: string
  revision: number
  rackId: string
  cpuFamily: CpuFamily
  usableHardwareThreads: number
  usablePhysicalRam: number
  reservoirSize: number
  provisionPolicy: ProvisionPolicy
  usedThreads: number
  usedMemory: number
  timeCreated: number
  timeModified: number
  policy: 'in_service' | 'expunged' | null
  state: 'active' | 'decommissioned' | null
  /** In maintenance since then; the task that empties it, and the policy of before. */
  maintenanceSince: number | null
  maintenanceTaskId: string | null
  policyBefore: ProvisionPolicy | null
  /** The rest of its latest report: see `HostDetails`. */
  hostJson: string | null
  /** The host that was the first to report it; null for the one inside of the server. */
  hostId: string | null
}
/** A process that runs machines and has joined with a code. */
export interface HostTable {
  id: string
  address: string
  port: number
  /** SHA-256 of its certificate, hex */
  fingerprint: string
  state: HostState
  timeStateChanged: number
  timeCreated: number
  timeModified: number
}
/** A host that was deleted, and that may still have machines of sleds that were taken out of service. */
export interface ForgottenHostTable {
  id: string
  address: string
  port: number
  timeForgotten: number
}
/** A code with which one host may join. It is deleted when one has. */
export interface HostJoinCodeTable {
  id: string
  /** The fingerprint of its secret. */
  secretHash: string
  timeCreated: number
  timeModified: number
  timeExpires: number
  /** The operator who has made it, and the silo: in their name the host joins. */
  userId: string
  userName: string
  userSiloId: string
  userSiloName: string
}
/** The authority that signs the certificates of hosts and servers: one row, or none before the first code. */
export interface FleetAuthorityTable {
  id: 'fleet'
  certPem: string
  keyPem: string
  timeCreated: number
}
/** The load of a sled in a slot of ten minutes, as it reported it last. */
export interface SledLoadTable {
  sledId: string
  /** The beginning of the slot. */
  at: number
  /** hundredths of a thread */
  threads: number
  memory: number
  storage: number
}
/** A condition that needs the attention of operators. */
export interface AttentionTable {
  id: string
  kind: AttentionKind
  severity: Severity
  /** a type of resource, as in messages */
  subjectType: string
  subjectId: string
  subjectName: string
  within: string | null
  since: number
  text: string
  advice: string
}
export interface AddressLotTable extends Identity {
  kind: LotKind
}
/** A range of addresses of a lot, of one family. */
export interface AddressLotBlockTable {
  id: string
  addressLotId: string
  firstKey: string
  lastKey: string
}
/** An address of a switch itself. An anycast address may be on several. */
export interface LoopbackAddressTable {
  id: string
  addressLotBlockId: string
  rackId: string
  switchLocation: SwitchLocation
  ipKey: string
  width: number
  isAnycast: number
}
/** Networks that switches announce. */
export type BgpAnnounceSetTable = Identity
export interface BgpAnnouncementTable {
  id: string
  bgpAnnounceSetId: string
  addressLotBlockId: string
  network: string
}
/** An autonomous system that switches belong to. */
export interface BgpConfigTable extends Identity {
  asn: number
  bgpAnnounceSetId: string
  vrf: string | null
}
/** Settings that are applied to ports under their name. */
export interface SwitchPortSettingsTable extends Identity {
  geometry: PortGeometry
  /** links, interfaces and routes */
  layoutJson: string
}
/** An address that settings give to a link. */
export interface SwitchPortAddressTable {
  id: string
  switchPortSettingsId: string
  addressLotBlockId: string
  linkName: string
  ipKey: string
  width: number
  vlanId: number | null
}
/** A BGP peer of a link. */
export interface SwitchPortPeerTable {
  id: string
  switchPortSettingsId: string
  bgpConfigId: string
  linkName: string
  peerJson: string
  /** It signs the packets of the session (RFC 2385), so it is stored as it is. */
  md5AuthKey: string | null
}
export interface BfdSessionTable {
  id: string
  switchLocation: SwitchLocation
  remoteKey: string
  localKey: string | null
  mode: BfdMode
  detectionThreshold: number
  /** µs */
  requiredRx: number
}
/** How the control plane is reached. There is one row. */
export interface EdgeTable {
  id: string
  /** The networks that requests are accepted from, with spaces between them; null for any. */
  allowedIps: string | null
  timeAllowListCreated: number
  timeAllowListModified: number
  answersPings: number
}
/** A change that is rolled back at a time unless it is confirmed. There is one row for each subject. */
export interface UnconfirmedTable {
  id: 'allowList' | 'switches'
  /** The state that counts again then. */
  formerJson: string
  timeRollBack: number
}
/** A condition that began, and when it ended: the history of `attention`. */
export interface AlertTable extends Omit<AttentionTable, 'kind' | 'since'> {
  class: string
  /** The row of `attention`; the same for each time that the condition begins. */
  findingId: string
  timeStarted: number
  timeEnded: number | null
  timeAcknowledged: number | null
  /** the id of a user, who may be deleted since */
  acknowledgedBy: string | null
  /** Until then, the receivers are not notified when the condition begins again. */
  silencedUntil: number | null
}
export interface AlertReceiverTable extends Identity {
  /** Of a webhook; empty for a receiver by e-mail. */
  endpoint: string
  /** The addresses of a receiver by e-mail, as JSON; null for a webhook. */
  toJson: string | null
}
export interface WebhookSecretTable {
  id: string
  alertReceiverId: string
  /** It signs deliveries, so it is stored as it is. */
  secret: string
  timeCreated: number
}
export interface AlertSubscriptionTable {
  alertReceiverId: string
  subscription: string
}
/** The delivery of an alert to a receiver. */
export interface AlertDeliveryTable {
  id: string
  alertReceiverId: string
  alertId: string
  alertClass: string
  state: DeliveryState
  trigger: DeliveryTrigger
  timeStarted: number
  /** When its next attempt is due; null if there is none. */
  dueAt: number | null
  /** The attempts so far, as JSON. */
  attemptsJson: string
}
export interface SupportBundleTable {
  id: string
  state: SupportBundleState
  reasonForCreation: string
  reasonForFailure: string | null
  userComment: string | null
  timeCreated: number
  /** The zip file of the last attempt to collect it. */
  fileId: string | null
  /** Bytes of the zip file; null until it is complete. */
  size: number | null
  /** A server collects it until then. */
  leaseUntil: number
}
export interface UninitializedSledTable {
  serial: string
  part: string
  revision: number
  rackId: string
  cubby: number
}
export interface PhysicalDiskTable extends Reported {
  id: string
  sledId: string
  vendor: string
  model: string
  serial: string
  formFactor: FormFactor
  size: number
  health: DiskHealth
  healthReason: string | null
  /** Since when its health is not ok. */
  unhealthySince: number | null
  /** hundredths of a percent */
  wear: number | null
  /** hundredths of °C */
  temperature: number | null
  policy: 'in_service' | 'expunged'
  state: 'active' | 'decommissioned'
  timeCreated: number
  timeModified: number
}
export interface SwitchTable extends Reported {
  id: string
  rackId: string
  location: string
  vendor: string
  model: string
  serial: string
  part: string
  revision: number
  /** hundredths of °C */
  temperature: number | null
  timeCreated: number
  timeModified: number
  /** The settings that were pushed last: their version, and the digest of them. */
  pushVersion: number | null
  pushDigest: string | null
  timePushed: number | null
  /** Why it does not have its settings, since when, and how many attempts have failed. */
  pushFailure: string | null
  timePushFailed: number | null
  pushFailures: number | null
  /** The host that was the first to report it; null for the one inside of the server. */
  hostId: string | null
}
export interface SwitchPortTable extends Reported {
  id: string
  rackId: string
  switchId: string
  switchLocation: string
  name: string
  portSettingsId: string | null
  linkState: LinkState
  /** When its state changed last; null if it has been down since the port was found. */
  linkSince: number | null
  speed: number | null
  transceiverJson: string | null
}
/** Something that is measured: a target with its fields. Only series are ever added to it. */
export interface TimeseriesSourceTable {
  /** random */
  id: number
  /** the target and its fields, as text */
  identity: string
  target: string
  fieldsJson: string
  /** Array of [metric, fields of the metric]; a series is called by its position. */
  seriesJson: string
}
/** Finds sources by the value of a field. */
export interface TimeseriesFieldTable {
  target: string
  name: string
  value: string
  sourceId: number
}
/** The points of one metric of a source from `slot` on, for `span` milliseconds. */
export interface TimeseriesChunkTable {
  sourceId: number
  slot: number
  metric: string
  span: number
  /** blocks of core/timeseries/blocks.ts */
  data: Uint8Array
}
/** Up to when the samples of a sled are in the store. */
export interface SledSamplesTable {
  sledId: string
  until: number
}
/** The provisioned resources of a project, a silo or the fleet from `at` on. */
export interface UsageSampleTable {
  id: string
  /** Of a pool, its assigned addresses. */
  metric: (typeof metricNames)[number] | 'addresses_assigned'
  at: number
  value: number | bigint
}
/** A lease on work that only one server does at a time: its holder and its expiry. */
export interface LeaseTable {
  name: string
  /** The server, of a lease of a host; empty for others. */
  holder: string
  until: number
  /** Increases whenever another server takes the lease of a host; null for others. */
  epoch: number | null
}

/** A request that the audit log is to have. Its entry follows from it. */
export interface AuditPendingTable extends Omit<AuditEntryTable, 'seq' | 'hash'> {
  /** When it was done. */
  at: number
  /** of AuditKeyTable, a line each */
  keys: string
}
/** An entry of the audit log. None is ever changed. */
export interface AuditEntryTable {
  /** When it was completed, in 1/1024 ms, so that no two have the same: its order, and its time. */
  seq: number
  id: string
  requestId: string
  timeStarted: number
  operation: string
  /** Null without a signed-in user. */
  actorId: string | null
  /** The silo of the actor or, without one, the silo that it tried to sign in to. */
  siloId: string | null
  /** The silo that it was about, if another one. */
  otherSiloId: string | null
  sourceIp: string
  userAgent: string | null
  /** HTTP; 0 if it is unknown how it ended */
  status: number
  detailsJson: string
  /** SHA-256 of this entry and of the hash before it, hex. */
  hash: string
}
/** Finds entries by their keys: ids of objects, projects and silos, and names of objects. */
export interface AuditKeyTable {
  key: string
  seq: number
}
/** The ends of the chain of hashes: what its first entry follows, and its last one. */
export interface AuditChainTable {
  name: string
  firstSeq: number
  firstHash: string
  lastSeq: number
  lastHash: string
  entries: number
}
/** The words that a row of some kind is found by, and that say where it is: see db/search-index.ts. */
export interface SearchTextTable {
  /** of the row */
  id: string
  kind: string
  words: string
}
/** The credential of a request, as the audit log names it. */
export type AuthMethod = 'session_cookie' | 'access_token' | 'scim_token'

/** An action on many resources. The ids are resolved as the user who created the task. */
export interface TaskTable {
  id: string
  userId: string
  /** When it was made, ms since 1970: unique among the tasks of the user. */
  at: number
  /** The credential of the request that made it, and what kind of credential that is; null for one of an earlier version. */
  sessionId: string
  authMethod: AuthMethod | null
  /** The address of the client that created it. */
  remote: string
  kind: TaskKind
  action: TaskAction
  /** The group that instances are added to, the instance that disks are attached to, or the project that images are moved to. */
  groupId: string | null
  /** Of the snapshots that it makes. */
  namePattern: string | null
  /** The body of the requests for its items, for changes of tags. */
  tagsJson: string | null
  retryOf: string | null
  /** The schedule whose run it is; it may be gone. */
  scheduleId: string | null
  /** `preparing` until all of its items are stored. */
  state: 'preparing' | 'waiting' | 'running' | 'completed' | 'canceled' | 'failed'
  total: number
  /** A server works on it until then. */
  leaseUntil: number
  timeStarted: number | null
  /** The time at which it ended. */
  timeEnded: number | null
  /** The number of items in each state, once it has ended. */
  countsJson: string | null
  message: string | null
}
/** One resource of a task. The transaction of its action also stores the result. */
export interface TaskItemTable {
  taskId: string
  position: number
  itemId: string
  name: string
  /** The project that it was in. */
  inProject: string | null
  /** In tasks whose items have different ones. */
  operation: StepOperation | null
  /** Items that are pending when their task ends are canceled. */
  state: 'pending' | 'running' | 'succeeded' | 'failed' | 'skipped'
  code: string | null
  message: string | null
  timeCompleted: number | null
}

export interface Tables {
  silo: SiloTable
  siloUser: SiloUserTable
  siloGroup: SiloGroupTable
  groupMember: GroupMemberTable
  roleAssignment: RoleAssignmentTable
  principalWord: PrincipalWordTable
  principalKey: PrincipalKeyTable
  session: SessionTable
  accessToken: AccessTokenTable
  deviceRequest: DeviceRequestTable
  scimToken: ScimTokenTable
  serviceAccount: ServiceAccountTable
  identityProvider: IdentityProviderTable
  samlProvider: SamlProviderTable
  oidcProvider: OidcProviderTable
  samlAnswer: SamlAnswerTable
  signInTest: SignInTestTable
  sshKey: SshKeyTable
  secondFactor: SecondFactorTable
  recoveryCode: RecoveryCodeTable
  signInChallenge: SignInChallengeTable
  listView: ListViewTable
  certificate: CertificateTable
  task: TaskTable
  taskItem: TaskItemTable
  project: ProjectTable
  tag: TagTable
  usage: UsageTable
  usagePeriod: UsagePeriodTable
  usageTag: UsageTagTable
  formerName: FormerNameTable
  usagePrices: UsagePricesTable
  tally: TallyTable
  vpc: VpcTable
  vpcNetwork: VpcNetworkTable
  vpcRouter: VpcRouterTable
  routerRoute: RouterRouteTable
  vpcSubnet: VpcSubnetTable
  vpcFirewallRule: VpcFirewallRuleTable
  internetGateway: InternetGatewayTable
  internetGatewayIpPool: InternetGatewayIpPoolTable
  internetGatewayIpAddress: InternetGatewayIpAddressTable
  networkInterface: NetworkInterfaceTable
  probe: ProbeTable
  ipPool: IpPoolTable
  ipPoolRange: IpPoolRangeTable
  ipPoolSilo: IpPoolSiloTable
  freedAddress: FreedAddressTable
  snatBlock: SnatBlockTable
  externalIp: ExternalIpTable
  instance: InstanceTable
  machineSize: MachineSizeTable
  siloMachineSize: SiloMachineSizeTable
  instanceSshKey: InstanceSshKeyTable
  disk: DiskTable
  layer: LayerTable
  snapshot: SnapshotTable
  instanceSnapshot: InstanceSnapshotTable
  snapshotSchedule: SnapshotScheduleTable
  schedule: ScheduleTable
  userDataTemplate: UserDataTemplateTable
  image: ImageTable
  imageImport: ImageImportTable
  firstSteps: FirstStepsTable
  affinityGroup: AffinityGroupTable
  affinityMember: AffinityMemberTable
  rack: RackTable
  sled: SledTable
  host: HostTable
  forgottenHost: ForgottenHostTable
  hostJoinCode: HostJoinCodeTable
  fleetAuthority: FleetAuthorityTable
  uninitializedSled: UninitializedSledTable
  physicalDisk: PhysicalDiskTable
  switch: SwitchTable
  switchPort: SwitchPortTable
  attention: AttentionTable
  addressLot: AddressLotTable
  addressLotBlock: AddressLotBlockTable
  loopbackAddress: LoopbackAddressTable
  bgpAnnounceSet: BgpAnnounceSetTable
  bgpAnnouncement: BgpAnnouncementTable
  bgpConfig: BgpConfigTable
  switchPortSettings: SwitchPortSettingsTable
  switchPortAddress: SwitchPortAddressTable
  switchPortPeer: SwitchPortPeerTable
  bfdSession: BfdSessionTable
  edge: EdgeTable
  unconfirmed: UnconfirmedTable
  sledLoad: SledLoadTable
  timeseriesSource: TimeseriesSourceTable
  timeseriesField: TimeseriesFieldTable
  timeseriesChunk: TimeseriesChunkTable
  sledSamples: SledSamplesTable
  usageSample: UsageSampleTable
  lease: LeaseTable
  auditPending: AuditPendingTable
  auditEntry: AuditEntryTable
  auditKey: AuditKeyTable
  auditChain: AuditChainTable
  searchText: SearchTextTable
  systemUpdateTrustRoot: TrustRootTable
  systemUpdateRepository: UpdateRepositoryTable
  systemUpdateUpload: UpdateUploadTable
  updateArtifact: UpdateArtifactTable
  targetRelease: TargetReleaseTable
  updateComponent: UpdateComponentTable
  rollOut: RollOutTable
  backupSchedule: BackupScheduleTable
  alertReceiver: AlertReceiverTable
  webhookSecret: WebhookSecretTable
  alertSubscription: AlertSubscriptionTable
  alert: AlertTable
  alertDelivery: AlertDeliveryTable
  supportBundle: SupportBundleTable
}
export type TableName = keyof Tables

/** One transaction's view of the database. */
export interface Tx extends Kysely<Tables> {
  /**
   * The statement that `make` made when the engine first met this key. The engine caches the statements that were used
   * last.
   */
  compiled(key: string, make: () => CompiledQuery): CompiledQuery
}
