/** The parts of the fleet in a document: silos, pools and policies. */
import { innerKeys } from '@purlin/contract/commands/documents'
import type { Row } from '../http/api.ts'
import { plainText } from '../output/json.ts'
import { policyOf } from './policies.ts'
import { paramsOf, plain, type Section, type Setting } from './section.ts'

const limits = ['cpus', 'memory', 'storage']

const quotas: Setting = {
  key: innerKeys.quotas,
  noun: 'quotas',
  async read({ api }, at) {
    const view = await api.call('siloQuotasView', { params: paramsOf('silo', at) })
    return Object.fromEntries(limits.map((key) => [key, view[key]]))
  },
  write: (api, at, value) => api.call('siloQuotasUpdate', { params: paramsOf('silo', at), body: value }),
}

/** Certificates have private keys, which no answer has: they are no part of a document. */
const silos: Section = plain('silo', {
  // A silo begins without room, until its quotas are set right after.
  more: { quotas: { cpus: 0, memory: 0, storage: 0 }, tls_certificates: [] },
  parts: [
    quotas,
    policyOf({
      ops: 'siloPolicy',
      key: 'silo',
      resource: ({ silo = '' }) => `silo:${silo}`,
      siloOf: ({ silo = '' }) => silo,
    }),
  ],
})

const ranges: Section = {
  key: innerKeys.ranges,
  noun: 'range',
  parentKey: 'range',
  fields: ['first', 'last'],
  changeable: [],
  list: async ({ api }, at) =>
    (await api.all('ipPoolRangeList', { params: at })).map(({ range }) => range as Row),
  create: (api, at, body) => api.call('ipPoolRangeAdd', { params: at, body }),
  update: () => Promise.resolve(),
  remove: (api, at, body) => api.call('ipPoolRangeRemove', { params: at, body }),
  parts: [],
}

const links: Section = {
  key: innerKeys.links,
  noun: 'link to silo',
  parentKey: 'silo',
  fields: ['silo', 'is_default'],
  changeable: ['is_default'],
  async list(source, at) {
    const rows = await source.api.all('ipPoolSiloList', { params: at })
    const bodies: Row[] = []
    for (const { silo_id, is_default } of rows)
      bodies.push({ silo: await source.nameOf('siloView', 'silo', silo_id), is_default })
    return bodies
  },
  create: (api, at, body) => api.call('ipPoolSiloLink', { params: at, body }),
  update: (api, at, { silo, is_default }) =>
    api.call('ipPoolSiloUpdate', { params: { ...at, silo }, body: { is_default } }),
  remove: (api, at, { silo }) => api.call('ipPoolSiloUnlink', { params: { ...at, silo } }),
  parts: [],
}

const pools: Section = plain('ipPool', { parts: [ranges, links] })

const fleetPolicy = policyOf({
  ops: 'systemPolicy',
  key: null,
  resource: () => 'fleet',
  siloOf: (_, { silo }) => plainText(silo),
  hasSilos: true,
})

export const systemParts: readonly (Section | Setting)[] = [
  silos,
  pools,
  { ...fleetPolicy, key: innerKeys.fleetPolicy, noun: 'policy of the fleet' },
]
