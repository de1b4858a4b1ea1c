/**
 * Limits that server and clients enforce. Sizes in bytes unless the name says otherwise; texts in characters
 * (Unicode code points), lists in elements.
 */
export const KiB = 1024
export const MiB = 1024 * KiB
export const GiB = 1024 * MiB
export const TiB = 1024 * GiB

export const limits = {
  /** The longest text of each format of strings. */
  formats: {
    name: 63,
    uuid: 36,
    'name-or-id': 63,
    hostname: 253,
    ip: 45,
    'ip-net': 49,
    'ipv4-net': 18,
    'ipv6-net': 49,
    'date-time': 64,
    version: 128,
    uri: 512,
    // RFC 5321, section 4.5.3.1
    email: 254,
  },
  description: 512,
  username: 256,
  image: { os: 255, version: 255 },
  instance: {
    minCpus: 1,
    maxCpus: 64,
    minMemory: GiB,
    maxMemory: 1536 * GiB,
    disks: 8,
    nics: 8,
    externalIps: 32,
    ephemeralIps: 1,
    sshKeys: 100,
    userData: 32 * KiB,
  },
  /** Fields of a template; characters of the label and the default of one, bytes of its value. */
  userDataTemplate: { fields: 32, label: 63, default: 1024, value: 16 * KiB },
  disk: { minSize: GiB, maxSize: 1023 * GiB, blockSizes: [512, 2048, 4096] },
  /** Tags of a resource; characters of a key and of a value. */
  tags: { count: 50, key: 64, value: 128 },
  /** Of a schedule of snapshots: hours from one to the next, snapshots that it keeps, days until the first one. */
  snapshotSchedule: { hours: 744, keep: 100, daysAhead: 366 },
  /**
   * Of a schedule of a project: hours from one run to the next, resources that it names, characters of the tag that it names
   * them by, snapshots that it keeps of a class. Runs of a user that have not ended.
   */
  schedule: { hours: 744, targets: 100, tag: 193, keep: 100, runs: 100 },
  /** Characters of the name of a time zone. */
  timeZone: 64,
  /** One write of an import: decoded bytes, and the whole body around them. */
  bulkWrite: { chunk: 512 * KiB, body: 8 * MiB },
  /**
   * Of system updates: bytes of a repository, of a part of an upload and of a root document, trust roots, unfinished
   * uploads and the hours for which one is kept, characters of a version and of the name of a file.
   */
  update: {
    repository: 4 * GiB,
    part: 8 * MiB,
    root: 512 * KiB,
    trustRoots: 100,
    uploads: 8,
    uploadHours: 24,
    fileName: 255,
  },
  nic: { transitIps: 64 },
  /** Of a VPC, and of each of its rules: targets, hosts, ports and protocols; the body that replaces them. */
  firewall: { rules: 1024, perRule: 256, body: 8 * MiB },
  /** Of each kind in the picture of a VPC. */
  topology: { gateways: 100, routers: 100, subnets: 100, interfaces: 1000, probes: 1000 },
  /** Instances that a trace takes for deleted. */
  trace: { instances: 1000 },
  ipPool: { ranges: 1000 },
  /** Of the fleet, and of each silo that has its own. */
  machineSizes: 100,
  addressLot: { blocks: 256 },
  /** Announce sets, and networks of one; characters of the key of a peer, and networks that a peer may send or get. */
  bgp: { announceSets: 256, announcements: 256, key: 80, prefixes: 256 },
  /** Sets of settings, and in each: addresses, routes, peers, communities of a peer, characters of a text of LLDP. */
  portSettings: { count: 256, addresses: 64, routes: 256, peers: 32, communities: 32, groups: 16, text: 255 },
  /** Sessions of all switches, and the longest time between two packets, in µs. */
  bfd: { sessions: 256, requiredRx: 60_000_000 },
  /** Entries of the allow list of source addresses. */
  allowList: 1000,
  /** Seconds in which a change is confirmed that could cut operators off. */
  confirmWithin: { min: 10, max: 3600 },
  affinity: { members: 32, groupsPerInstance: 16 },
  policy: { assignments: 64 },
  /** Groups of a silo with local users, and the users that a request adds to one. */
  localGroups: { count: 1000, adding: 100 },
  /** Users and groups of a silo. Programs, sign-ins and administrators make them. */
  directory: { users: 200_000, groups: 20_000 },
  /** Keys of a service account, and for how long one may be valid, s: two years. */
  serviceAccount: { keys: 20, keyTtl: 2 * 365 * 24 * 3600 },
  /** Of a new silo. */
  silo: { certificates: 8, groupName: 256 },
  /**
   * `pem` is the text of a chain, or of a key. Certificates of a chain, names of one, characters of a name and of a
   * subject; bits of an RSA key: smaller ones are refused by TLS, larger ones keep every handshake waiting.
   */
  certificate: { pem: 64 * KiB, chain: 10, names: 1000, subject: 1024, rsaBits: { least: 2048, most: 4096 } },
  /**
   * Of identity providers: characters of a text and of a key or certificate, bytes of metadata, certificates of one,
   * ms to fetch metadata. Of an answer: elements of its XML and their depth, characters of a subject, groups, the age of its issue and
   * the difference of clocks in ms. Characters of the address to return to.
   */
  saml: {
    text: 1024,
    key: 16 * KiB,
    metadata: 512 * KiB,
    certificates: 10,
    fetchMs: 5000,
    elements: 1200,
    depth: 32,
    subject: 256,
    groups: 500,
    ageMs: 90_000,
    skewMs: 180_000,
    returnTo: 2048,
  },
  /**
   * Of identity providers with OpenID Connect: scopes and characters of one, characters of the name of a claim and of a
   * parameter in the address to which a provider sends the browser; the age of a logout token in ms.
   */
  oidc: { scopes: 20, scope: 128, claim: 128, parameter: 4096, logoutAgeMs: 120_000 },
  /**
   * Of tests of identity providers: those that an administrator has at a time, ms for which a result is kept, and what it
   * keeps of an answer: attributes, values of all of them, characters of each. Then the roles that it lists.
   */
  signInTest: { perUser: 5, keptMs: 600_000, attributes: 100, values: 500, text: 256, roles: 200 },
  /**
   * Of SCIM. Characters of a filter or path, of its nested brackets, of an attribute and of an id. Resources of a page
   * unless the client says how many and at most, and members or memberships that come with a page. Operations of a PATCH,
   * members that a request names, addresses of e-mail of a user. Requests that a token may send at once, and per second
   * after those. Characters of the name of a token.
   */
  scim: {
    filter: 1024,
    nesting: 8,
    text: 256,
    id: 64,
    page: { default: 100, max: 200, related: 10_000 },
    operations: 200,
    members: 10_000,
    emails: 10,
    burst: 500,
    perSecond: 25,
    tokenName: 63,
  },
  /** Open consoles of one user, on each server. */
  serialConsole: { perUser: 20 },
  /** Open screens of one user, on each server. */
  display: { perUser: 10 },
  /**
   * Of a stream of changes: addresses that it is about, characters of each, the time to read all of them at first;
   * streams of a session, of a user, of everyone.
   */
  events: { scopes: 32, scope: 1024, firstLookMs: 10_000, perSession: 20, perUser: 100, all: 2000 },
  /** Characters of the part and the serial number of a board, and of the location of a switch. */
  hardware: { board: 128, location: 63 },
  sshKey: { publicKey: 1023 },
  /** Of answers of authenticators, in characters of base64url, and of codes. */
  secondFactor: {
    code: 64,
    credentialId: 1400,
    clientData: 4096,
    authenticatorData: 2048,
    signature: 2048,
    attestation: 8192,
  },
  /** Views of lists of a kind that a person keeps: how many, characters of each part, columns. */
  listViews: { count: 32, name: 63, search: 1000, columns: 32, column: 64 },
  /** Codes of the device flow, and the name of the flow: those that are made are shorter. */
  deviceCode: 128,
  /** Devices that wait for a user at a time. */
  deviceRequests: 10_000,
  /** The shortest new one in characters, the longest in bytes. */
  password: { min: 12, max: 512 },
  /**
   * Of an entry of the audit log: characters of the address and of the user agent, objects that it lists, changes of an
   * object and characters of a value. What filters may contain, and how many entries a page looks through.
   */
  audit: {
    uri: 512,
    agent: 256,
    message: 1024,
    objects: 32,
    changes: 16,
    value: 128,
    filter: 256,
    looksThrough: 20_000,
  },
  /**
   * Of tasks: items of one, the address of a list that it is made for, those of a person that are kept and that wait or
   * run, days for which they are kept, reasons and names that an answer lists, and names for
   * each reason.
   */
  task: {
    items: 10_000,
    query: 2048,
    kept: 100,
    open: 10,
    days: 30,
    listed: 20,
    named: 5,
    digest: 32,
    pattern: 80,
    reason: 1024,
  },
  /** The text to find in a list or everywhere, and how many of its different words count. */
  find: 200,
  findWords: 8,
  /** Results of a search over everything, and unless the client says how many. */
  search: { max: 50, default: 20, text: 200 },
  /** Ids that one request asks the names of. */
  names: 80,
  /** The lines of each part of an overview. */
  overview: { failures: 10 },
  /** An instance that has been stopped for this many days is not used. */
  unused: { stoppedDays: 30 },
  /** Filters of a request for a list: how many, and the characters of one and of all together. */
  filters: { count: 32, text: 256, all: 1024 },
  /**
   * Rows that one request looks through to find some; rows of a list that are counted; rows that are ordered by a column
   * without an index; disks that are counted for one image.
   */
  lists: { looksThrough: 20_000, counted: 20_000, ordered: 50_000, disksOfImage: 200 },
  /** The text of a query over timeseries. */
  query: 4096,
  /** Rows of a page unless the client says how many, and at most; the texts in a page; the length of its token. */
  page: { default: 100, max: 10_000, withDetails: 100, bytes: 512 * KiB, token: 8 * KiB },
  /** The body of a request: of most operations, of any before a session is known, of signing in. */
  body: MiB,
  bodyOfStrangers: 64 * KiB,
  bodyOfSignIn: 4 * KiB,
  /** An answer of an authenticator. */
  bodyOfPasskey: 32 * KiB,
  /**
   * Bytes of request bodies in memory at a time: per user, per address without a session, of all such addresses, of
   * all clients. The first bytes of each body, as many as a sign-in needs, are not counted.
   */
  bodiesInFlight: { small: 4 * KiB, user: 16 * MiB, address: 4 * MiB, strangers: 16 * MiB, all: 64 * MiB },
  /**
   * Bytes of answers in memory until they are read: per address, of all clients. Smaller answers are not counted.
   * Then the time without any read after which a connection is closed, ms.
   */
  answersInFlight: { address: 32 * MiB, all: 64 * MiB, small: 16 * KiB, patienceMs: 30_000 },
  /** Requests that a connection may have under way, and that may wait for the processor of those of one client. */
  requestsOfConnection: 16,
  requestsWaiting: 1000,
  /** Parameters of a query, whether known or not. */
  queryPairs: 100,
  /** Characters of a request that an error repeats. */
  quoted: 200,
} as const

/** `4 GiB`, `512 MiB`, `100 B`: the largest unit that divides the size. */
export function formatBytes(size: number): string {
  const units = [
    [TiB, 'TiB'],
    [GiB, 'GiB'],
    [MiB, 'MiB'],
    [KiB, 'KiB'],
  ] as const
  const unit = size > 0 ? units.find(([bytes]) => size % bytes === 0) : undefined
  return unit ? `${size / unit[0]} ${unit[1]}` : `${size} B`
}
