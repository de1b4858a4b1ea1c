/** Fields of silos, quotas, certificates and projects. */
import { limits } from '#/rules/limits.ts'
import type { FieldSentences } from '../field-sentences.ts'

const isDefault = 'True if it is the default pool of the silo, which is used if a request names no pool.'
const keeps = 'absent or null keeps the present value'
const roles = 'For each role on the silo, the roles on the fleet that it brings.'
const group = 'The group whose members are administrators of the silo'
const use = 'The amounts that the silo uses.'
const chain = 'The chain of certificates in PEM, that of the silo first.'

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
  SiloQuotasUpdate: {
    cpus: `The most vCPUs; ${keeps}.`,
    memory: `The most memory in bytes; ${keeps}.`,
    storage: `The most disk storage in bytes; ${keeps}.`,
  },
  SiloUtilization: { provisioned: use },
  Utilization: {
    provisioned: use,
    placeable: 'What instances can still be given, by the quota and by the hardware.',
    largest: 'The most that a single instance can be given.',
  },
  SiloUse: { provisioned: use },
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
    failures: `Resources that have failed, at most ${limits.overview.failures}.`,
  },
  'ProjectOverview.resources': {
    kind: 'The type of the resources, such as `disk`.',
    totalItems: 'The number of them; absent if there are too many to count.',
    totals: 'For each column with few values, the number of resources by value.',
  },
  'ProjectOverview.failures': {
    kind: 'The type of the resource.',
    state: 'The state it is in.',
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
