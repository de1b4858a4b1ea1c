/** The fields that drafts of create forms keep. A field without an entry is never kept. */

const fields = (names: string) => names.split(' ')
const named = fields('name description')
const tagged = [...named, 'tags']
const image = [...tagged, ...fields('os version blockSize')]

/**
 * By form. Left out are files, and all that is a secret or may contain one: user data, keys, and addresses to which
 * something is sent or from which something is fetched.
 */
export const keptFields: Readonly<Record<string, readonly string[]>> = {
  addressLot: fields('name description kind blocks'),
  alertReceiver: fields('name description kind to subscriptions'),
  antiAffinityGroup: fields('name description policy'),
  certificate: named,
  disk: fields('name description tags source snapshot image blockSize size'),
  firewallRule: fields(
    'name description status action direction priority appliesTo targets hosts ports protocols draft',
  ),
  floatingIp: fields('name description tags pool ip'),
  image,
  imageImport: [...image, ...fields('from known sha256')],
  instance: [
    ...fields('name description tags start hostname hardware preset cpus memoryGiB autoRestart cpuPlatform'),
    ...fields('boot siloImage projectImage bootSnapshot bootSizeGiB bootName bootDisk disks'),
    ...fields('sshKeys network nics ephemeral pool floatingIps antiAffinityGroups'),
  ],
  internetGateway: named,
  ipPool: named,
  ipRange: fields('first last'),
  loopbackAddress: fields('addressLot address mask rackId switchLocation anycast'),
  machineSize: fields('name description ncpus memory'),
  networkInterface: fields('name description vpcName subnetName ip'),
  oidcProvider: fields('name description issuer clientId scopes nameClaim groupsClaim'),
  probe: fields('name description sled ipPool'),
  project: tagged,
  samlProvider: [
    ...fields('name description technicalContactEmail spClientId hasStandardAcsUrl acsUrl sloUrl'),
    ...fields('idpEntityId groupAttributeName source'),
  ],
  silo: [
    ...fields('name description discoverable identityMode adminGroupName mapsAdmins mapsViewers'),
    ...fields('cpuQuota memoryQuota storageQuota'),
  ],
  snapshot: fields('name description tags disk'),
  sshKey: named,
  schedule: fields('name description action target tag instances every hours day days time timeZone paused'),
  vpc: fields('name description tags dnsName ipv6Prefix'),
  vpcRouter: named,
  vpcRouterRoute: fields('name description destinationType destination targetType target'),
  vpcSubnet: fields('name description ipv4Block ipv6Block customRouter newRouter'),
}

/** The names of secrets in requests, and of what may contain one: kept nowhere, not even inside a field that is kept. */
export const neverKept: ReadonlySet<string> = new Set([
  ...fields('clientSecret currentPassword deviceCode key md5AuthKey newPassword password privateKey proof'),
  ...fields('secret secrets endpoint metadataUrl publicKey url userData userDataText'),
])

/** Words for fields whose names are none. */
export const leftOutWords: Readonly<Record<string, string>> = {
  cert: 'certificate',
  metadataUrl: 'metadata address',
  metadataXml: 'metadata file',
  publicCert: 'public certificate',
  url: 'address',
  userDataText: 'user data',
}
