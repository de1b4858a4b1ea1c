/** Fields of silos, quotas, certificates and projects. */
import { limits } from '#/rules/limits.ts'
import type { FieldSentences } from '../field-sentences.ts'

const isDefault = 'True if it is the default pool of the silo, which is used if a request names no pool.'
const keeps = 'absent or null keeps the present value'
const roles = 'For each role on the silo, the roles on the fleet that it brings.'
const group = 'The group whose members are administrators of the silo'
const use = 'The amounts that the silo uses.'
const room = {
  placeable: 'What instances and disks can still be given, by the quota and by the hardware.',
  largest: 'The most that a single instance can be given.',
}
const trends = 'How long each quota lasts at the trend of the last 30 days; only if the request asks for it.'
const asksForTrends = 'True for `trends`: how long each quota lasts.'
const chain = 'The chain of certificates in PEM, that of the silo first.'

const certificate = 'The certificate of the key that signs requests, DER in base64.'
const ofProvider = {
  idpEntityId: 'The entity id of the identity provider: the issuer of its answers.',
  spClientId: 'The entity id of this service: the issuer of requests and the audience of answers.',
  acsUrl: 'The address that the identity provider sends answers to.',
  sloUrl: 'The address for single logout. It is only stored.',
  technicalContactEmail: 'The e-mail address of the person to ask about problems.',
  groupAttributeName: 'The attribute that lists the groups of a user; absent or null for none.',
}

const ofOidc = {
  issuer: 'The issuer: the address below which the metadata of the identity provider is found.',
  clientId: 'The id of this service at the identity provider: the audience of its tokens.',
  scopes: 'The scopes that are requested.',
  nameClaim: 'The claim that names the user.',
  groupsClaim: 'The claim that lists the groups of a user; null for none.',
}

export const silos: FieldSentences = {
  Silo: {
    discoverable: 'True if lists of silos show the silo.',
    identityMode: 'Where the users of the silo come from.',
    mappedFleetRoles: roles,
    adminGroupName: `${group}; absent or null for none.`,
    certificateExpires:
      'When the last certificate expires, RFC 3339 in UTC; null without one. Only in the view of one silo.',
    utilization: 'The use of the silo, in lists that ask for it.',
  },
  Project: { utilization: 'The instances and the use of the project, in lists that ask for it.' },
  ProjectUse: {
    instances: 'The number of instances.',
    instancesByState: 'The number of instances in each state, without states that none is in.',
    provisioned: 'What its instances and disks use.',
    timeLastChanged:
      'When a request last changed it or something in it, RFC 3339 in UTC; absent if the audit log does not have it any more.',
  },
  projectList: { utilization: 'If true, each project comes with its use.' },
  siloList: { utilization: 'If true, each silo comes with its use.' },
  SiloCreate: {
    mappedFleetRoles: `${roles} None unless given.`,
    quotas: 'The most that the silo may provision.',
    tlsCertificates: `The certificates of its host name, at most ${limits.silo.certificates}.`,
  },
  SiloUpdate: {
    discoverable: `If true, lists of silos show the silo; ${keeps}.`,
    adminGroupName: `${group}; ${keeps}.`,
    mappedFleetRoles: `${roles} Absent or null keeps the present ones.`,
  },
  LoginOptions: {
    password: 'True if users sign in with a password.',
    providers: 'The identity providers that users can sign in with, by name.',
  },
  loginSamlBegin: {
    redirectUri: 'The address on this site to return to, a path; `/` unless given.',
  },
  IdentityProvider: { providerType: 'The protocol of the identity provider.' },
  LoginProvider: { protocol: 'The protocol of the identity provider: `saml` or `oidc`.' },
  SignInProvider: { protocol: 'The protocol of the identity provider: `saml` or `oidc`.' },
  loginOidcBegin: {
    redirectUri: 'The address on this site to return to, a path; `/` unless given.',
  },
  loginOidc: {
    code: 'The authorization code.',
    state: 'The state of the request that the identity provider answers.',
    iss: 'The issuer, of providers that name themselves (RFC 9207).',
    error: 'The error code, if the identity provider has not signed the user in.',
    errorDescription: 'The error in words.',
  },
  OidcIdentityProvider: { ...ofOidc, metadata: 'The content of its metadata.' },
  OidcMetadata: {
    signOnUrl: 'The address at which users sign in.',
    tokenUrl: 'The address at which codes are exchanged for tokens.',
    keysUrl: 'The address of the keys that tokens are signed with.',
    userInfoUrl: 'The address of further claims of a user; null without one.',
    timeRead: 'When the metadata was last read, RFC 3339 in UTC.',
    failure: 'Why it could not be read the last time, in words for people; null if it was.',
  },
  OidcIdentityProviderCreate: {
    ...ofOidc,
    clientSecret: 'The secret of the client. It is never shown again.',
    scopes: 'The scopes to request, with or without `openid`; `openid`, `profile` and `email` unless given.',
    nameClaim: 'The claim that names the user; `sub` unless given.',
  },
  OidcIdentityProviderUpdate: {
    issuer: `The issuer, whose metadata is read again; ${keeps}. Another issuer needs a client secret.`,
    clientId: `The id of this service at the identity provider; ${keeps}.`,
    clientSecret: `The secret of the client; ${keeps}.`,
    scopes: `The scopes to request; ${keeps}.`,
    nameClaim: `The claim that names the user; ${keeps}.`,
    groupsClaim: `The claim that lists the groups of a user; ${keeps}, and an empty text stands for none.`,
  },
  SignInTestBegun: {
    id: 'The id of the test.',
    url: 'The address that leads to the identity provider.',
    timeExpires: 'When the test ends unless it is answered, RFC 3339 in UTC.',
  },
  signInTestView: { testId: 'The id of the test.' },
  SignInTest: {
    id: 'The id of the test.',
    timeExpires: 'When the test is deleted, RFC 3339 in UTC.',
    providerId: 'The id of the identity provider.',
    providerName: 'The name of the identity provider.',
    protocol: 'The protocol of the identity provider: `saml` or `oidc`.',
    outcome: 'Whether the answer would sign a user in; `waiting` until there is one.',
    reason: 'Why the answer was refused, in words for people; null if it was not.',
    answer: 'The content of the answer; null until there is one, and if its signature or form is refused.',
    user: 'The user whom the answer would sign in; null if there is none.',
    groups: 'The groups of the user, before or after the sign-in.',
    roles: 'The roles that the user would have, of those whose policies you may read.',
    hiddenRoles: 'The number of roles that are not listed.',
  },
  SignInTestAnswer: {
    issuer: 'The issuer of the answer.',
    subject: 'The name identifier, or the claim `sub`.',
    audiences: 'The services that the answer is for.',
    timeIssued: 'When the answer was issued, RFC 3339 in UTC.',
    timeValidFrom: 'The start of its validity, RFC 3339 in UTC.',
    timeValidUntil: 'The end of its validity, RFC 3339 in UTC.',
    attributes: 'The attributes or claims.',
    omitted: 'The number of values that are not shown, because there are too many.',
  },
  SignInTestAttribute: {
    name: 'The name of the attribute or claim.',
    values: 'The values, each shortened to 256 characters.',
    use: 'What is taken from it; null for nothing.',
  },
  SignInTestUser: {
    id: 'The id of the user; null for one that the sign-in would create.',
    displayName: 'The name that people see.',
    isNew: 'True if the sign-in would create the user.',
  },
  SignInTestGroup: {
    name: 'The name of the group.',
    change: 'Whether the sign-in would make the user a member, end the membership, or keep it.',
    isNew: 'True if the sign-in would create the group.',
  },
  SignInTestRole: {
    level: 'The kind of the resource that the role is on.',
    name: 'The name of the resource.',
    role: 'The role.',
  },
  SamlIdentityProvider: {
    ...ofProvider,
    publicCert: `${certificate} Absent or null if requests are not signed.`,
    metadata: 'The content of its metadata.',
  },
  SamlMetadata: {
    signOnUrl: 'The address at which users sign in.',
    certificates: 'The certificates that answers may be signed with.',
    url: 'The address from which the metadata is read again; null if it was given as XML.',
    timeRead: 'When the metadata was last read, RFC 3339 in UTC.',
    failure: 'Why it could not be read the last time, in words for people; null if it was.',
  },
  SamlCertificate: {
    subject: 'The subject of the certificate.',
    fingerprint: 'The SHA-256 of the certificate, in pairs of hexadecimal digits.',
    notAfter: 'The end of its validity, RFC 3339 in UTC.',
  },
  IdpMetadataSource: {
    type: 'Where the metadata is.',
    url: `The address of the metadata, at most ${limits.saml.metadata} bytes.`,
    data: `The XML of the metadata, in base64, at most ${limits.saml.metadata} bytes.`,
  },
  DerEncodedKeyPair: {
    publicCert: certificate,
    privateKey: 'The RSA key of the certificate, DER in base64; it is never shown again.',
  },
  SamlIdentityProviderCreate: {
    ...ofProvider,
    idpMetadataSource: 'The metadata of the identity provider.',
    signingKeypair: 'The key that signs requests, and its certificate. Requests are not signed without them.',
  },
  SamlIdentityProviderUpdate: {
    idpEntityId: `The entity id of the identity provider; ${keeps}.`,
    spClientId: `The entity id of this service; ${keeps}.`,
    acsUrl: `The address that the identity provider sends answers to; ${keeps}.`,
    sloUrl: `The address for single logout; ${keeps}.`,
    technicalContactEmail: `The e-mail address of the person to ask about problems; ${keeps}.`,
    idpMetadataSource: `The metadata of the identity provider; ${keeps}.`,
    signingKeypair: `The key that signs requests, and its certificate; ${keeps}.`,
    groupAttributeName: `The attribute that lists the groups of a user; ${keeps}, and an empty text stands for none.`,
  },
  SiloQuotasUpdate: {
    cpus: `The most vCPUs; ${keeps}.`,
    memory: `The most memory in bytes; ${keeps}.`,
    storage: `The most disk storage in bytes; ${keeps}.`,
  },
  SiloContents: {
    projects: `The number of its projects, at most ${limits.lists.counted}.`,
    images: `The number of images of the silo itself, at most ${limits.lists.counted}.`,
  },
  SiloUtilization: { provisioned: use, ...room, trends },
  siloUtilizationView: { trends: asksForTrends },
  Utilization: {
    provisioned: use,
    ...room,
    trends,
    fits: 'The number of instances of the requested size that could still start, if only this size were started. Affinity rules may allow fewer.',
  },
  utilizationView: {
    trends: asksForTrends,
    ncpus: 'The vCPUs of an instance, to learn with `memory` how many of it fit.',
    memory: 'The memory of that instance in bytes.',
  },
  SiloUse: { provisioned: use },
  Room: {
    storage:
      'Bytes for disks and snapshots; only in `placeable`, and absent if a host cannot say how much is free.',
  },
  SiloIpPool: { isDefault },
  Certificate: {
    cert: chain,
    service: 'The service that uses the certificate.',
    subject: 'The subject of the certificate.',
    issuer: 'The issuer of the certificate.',
    dnsNames: 'The DNS names that the certificate is valid for.',
    notBefore: 'The beginning of its validity, RFC 3339 in UTC.',
    notAfter: 'The end of its validity, RFC 3339 in UTC.',
  },
  CertificateCreate: { key: 'The private key of the certificate in PEM; it is never shown again.' },
  ProjectOverview: {
    resources: 'How many resources of each kind there are.',
    provisioned: 'The amounts that the project uses.',
    siloProvisioned: 'The amounts that all projects of the silo use.',
    siloCapacity: 'The amounts that the quota of the silo allows.',
    failures: `Resources that have failed, schedules whose last run has failed, and disks with such a schedule, at most ${limits.overview.failures}.`,
  },
  'ProjectOverview.resources': {
    kind: 'The type of the resources, such as `disk`.',
    totalItems: 'The number of them; absent if there are too many to count.',
    totals: 'For each column with few values, the number of resources by value.',
  },
  'ProjectOverview.failures': {
    kind: 'The type of the resource.',
    state: 'The state it is in; `failing` for schedules, and for disks whose snapshot schedule fails.',
    message: 'The reason in words for people.',
  },
  IpPool: { ipVersion: 'The version of all its addresses.' },
  IpPoolCreate: { ipVersion: 'The version of all its addresses, `v4` unless given.' },
  IpRange: { first: 'The first address of the range.', last: 'The last address of the range, included.' },
  IpPoolRange: { range: 'The addresses.' },
  IpPoolSiloLink: { isDefault },
  IpPoolLinkSilo: { isDefault },
  IpPoolSiloUpdate: {
    isDefault: 'True to make it the default pool of the silo, false to make it an ordinary one.',
  },
  IpPoolUtilization: {
    remaining: 'The number of addresses that are free.',
    capacity: 'The number of addresses of all ranges.',
  },
}
