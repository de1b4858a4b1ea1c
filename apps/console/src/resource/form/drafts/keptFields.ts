/** The fields that drafts of forms keep. A field without an entry is never kept. */

const fields = (names: string) => names.split(' ')
const named = fields('name description')
const tagged = [...named, 'tags']
const kept = [...tagged, 'protected']
const image = [...kept, ...fields('os version blockSize')]

/**
 * By form. Left out are files, and all that is a secret or may contain one: user data, keys, and addresses to which
 * something is sent or from which something is fetched.
 */
export const keptFields: Readonly<Record<string, readonly string[]>> = {
  accessToken: fields('name days'),
  addressLot: fields('name description kind blocks'),
  alertReceiver: fields('name description kind to subscriptions'),
  allowedSources: fields('allow networks'),
  announceSet: fields('name description announcement'),
  antiAffinityGroup: fields('name description tags policy'),
  bfdSession: fields('switch remote local mode detectionThreshold requiredRx'),
  bgpConfig: fields('name description asn bgpAnnounceSetId vrf'),
  certificate: named,
  disk: fields('name description tags protected source snapshot image blockSize size'),
  firewallRule: fields(
    'name description status action direction priority appliesTo targets hosts ports protocols draft',
  ),
  floatingIp: fields('name description tags protected pool ip'),
  gatewayAddress: fields('name description address'),
  gatewayPool: fields('name description ipPool'),
  image,
  imageUpload: image,
  imageImport: [...image, ...fields('from known sha256')],
  instance: [
    ...fields(
      'name description tags protected start hostname hardware preset cpus memoryGiB autoRestart cpuPlatform',
    ),
    ...fields('boot siloImage projectImage bootSnapshot bootSizeGiB bootName bootDisk disks'),
    ...fields('sshKeys network nics ephemeral pool floatingIps antiAffinityGroups'),
  ],
  instanceSize: fields('ncpus memory'),
  instanceSnapshot: kept,
  internetGateway: tagged,
  ipPool: named,
  ipRange: fields('first last'),
  localUser: fields('name'),
  loopbackAddress: fields('addressLot address mask rackId switchLocation anycast'),
  machineSize: fields('name description ncpus memory'),
  networkInterface: fields('name description vpcName subnetName ip transitIp transitIps'),
  oidcProvider: fields('name description issuer clientId scopes nameClaim groupsClaim'),
  poolLink: fields('silo pool isDefault'),
  portSettings: fields('name description geometry links addresses interfaces routes peers'),
  probe: fields('name description tags sled ipPool'),
  project: kept,
  samlProvider: [
    ...fields('name description technicalContactEmail spClientId hasStandardAcsUrl acsUrl sloUrl'),
    ...fields('idpEntityId groupAttributeName source'),
  ],
  scimToken: fields('name expires'),
  serviceAccount: named,
  serviceAccountKey: fields('name days readOnly project'),
  silo: [
    ...fields(
      'name description discoverable identityMode adminGroupName mapsAdmins mapsViewers admin collaborator viewer',
    ),
    ...fields('cpuQuota memoryQuota storageQuota'),
  ],
  siloQuotas: fields('cpuQuota memoryQuota storageQuota'),
  snapshot: fields('name description tags protected disk'),
  snapshotSchedule: fields('every unit firstRun timeZone keep paused'),
  sshKey: named,
  schedule: [
    ...tagged,
    ...fields('action target tag instances instance disks disk every hours firstRun seen'),
    ...fields('day days time timeZone paused hourly daily weekly monthly'),
  ],
  usagePrices: fields('currency cpuHour memoryGibHour storageGibHour addressHour'),
  // Its text may have secrets, until they are fields.
  userDataTemplate: kept,
  vpc: fields('name description tags protected dnsName ipv6Prefix'),
  vpcRouter: tagged,
  vpcRouterRoute: fields('name description destinationType destination targetType target'),
  vpcSubnet: fields('name description tags ipv4Block ipv6Block customRouter newRouter'),
}

/** The names of secrets in requests, and of what may contain one: kept nowhere, not even inside a field that is kept. */
export const neverKept: ReadonlySet<string> = new Set([
  ...fields('clientSecret currentPassword deviceCode key md5AuthKey newPassword password privateKey proof'),
  ...fields('secret secrets endpoint metadataUrl publicKey url userData userDataText'),
])

/** Words for fields whose names are none. */
export const leftOutWords: Readonly<Record<string, string>> = {
  cert: 'certificate',
  md5AuthKey: 'MD5 key',
  metadataUrl: 'metadata address',
  metadataXml: 'metadata file',
  publicCert: 'public certificate',
  url: 'address',
  userDataText: 'user data',
}
