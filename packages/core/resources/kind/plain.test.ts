/** The rules of plain resources, of every kind that its plain operation creates. */
import type { PlainKind } from '@purlin/contract/operations/plain'
import { GiB } from '@purlin/contract/rules/limits'
import { testCertificate } from '#/testing/certificates.ts'
import { addInstance, inDb } from '#/testing/networks/networks.ts'
import { createdKinds, plainSuite, type PlainResource } from '#/testing/plain-suite.ts'
import type { TestWorld } from '#/testing/world.ts'

const projects = ['demo', 'second']
/** The same VPC or part of one in both projects. */
const inBoth = (at: Record<string, string>): Required<PlainResource>['parents'] => [
  { project: 'demo', vpc: 'default', ...at },
  { project: 'second', vpc: 'default', ...at },
]
const identity = (name: string) => ({ name, description: '' })
let made = 0
/** A number that the bodies of one world have not had. */
const next = () => (made = (made + 1) % 250)

const makeDisks = async (world: TestWorld) => {
  for (const project of projects)
    await world.as('admin').diskCreate({
      query: { project },
      body: { ...identity('disk'), size: GiB, diskSource: { type: 'blank', blockSize: 512 } },
    })
}
/** Two in a project, with a disk each. */
const makeInstances = async (world: TestWorld) => {
  for (const name of ['one', 'two'])
    await addInstance(world, name, {
      disks: [
        {
          type: 'create',
          ...identity(`of-${name}`),
          size: GiB,
          diskSource: { type: 'blank', blockSize: 512 },
        },
      ],
    })
}
const makeRouters = async (world: TestWorld) => {
  for (const project of projects)
    await world.as('admin').vpcRouterCreate({ query: { project, vpc: 'default' }, body: identity('custom') })
}
const makeVpcs = async (world: TestWorld) => {
  for (const name of ['net', 'other'])
    await world
      .as('admin')
      .vpcCreate({ query: { project: 'demo' }, body: { ...identity(name), dnsName: name } })
}
const removeSubnets = async (world: TestWorld, vpc: string) => {
  const admin = world.as('admin')
  const { items } = await admin.vpcSubnetList({ query: { vpc } })
  for (const { id } of items) await admin.vpcSubnetDelete({ params: { subnet: id }, query: {} })
}
const useScim = (world: TestWorld) =>
  inDb(world, (tx) => tx.updateTable('silo').set({ identityMode: 'saml_scim' }).execute())

/** The fleet begins with some. */
const removeSizes = (world: TestWorld) => inDb(world, (tx) => tx.deleteFrom('machineSize').execute())

/** The kinds whose resources need more than the body of the sweep. */
const differences: Partial<Record<PlainKind, PlainResource>> = {
  accessToken: { body: (_, name) => ({ name: name === '' ? 'any' : name }) },
  certificate: { body: (_, name) => testCertificate(name) },
  serviceAccount: { parents: [{ silo: 'acme' }, { silo: 'other' }] },
  machineSize: { prepare: removeSizes },
  siloMachineSize: { parents: [{ silo: 'acme' }, { silo: 'other' }] },
  scimToken: { parents: [{ silo: 'acme' }, { silo: 'other' }], prepare: useScim },
  instance: {
    body: () => ({
      ncpus: 1,
      memory: GiB,
      hostname: 'vm',
      start: false,
      network_interfaces: { type: 'none' },
    }),
    update: { ncpus: 1, memory: GiB, boot_disk: null, auto_restart_policy: null, cpu_platform: null },
    updated: {},
  },
  disk: { ofName: (name) => ({ device_path: `/mnt/${name}` }) },
  snapshot: { prepare: makeDisks, body: () => ({ disk: 'disk' }) },
  instanceSnapshot: {
    prepare: makeInstances,
    parents: [
      { project: 'demo', instance: 'one' },
      { project: 'demo', instance: 'two' },
    ],
  },
  vpc: { empty: removeSubnets },
  vpcSubnet: {
    prepare: makeVpcs,
    parents: [
      { project: 'demo', vpc: 'net' },
      { project: 'demo', vpc: 'other' },
    ],
    body: () => ({ ipv4_block: `10.${next()}.0.0/16` }),
  },
  vpcRouter: { parents: inBoth({}) },
  vpcRouterRoute: {
    prepare: makeRouters,
    parents: inBoth({ router: 'custom' }),
    body: () => ({ destination: { type: 'ip', value: `10.0.0.${next()}` }, target: { type: 'drop' } }),
    update: { destination: { type: 'ip', value: '10.0.1.1' }, target: { type: 'drop' } },
  },
  internetGateway: { parents: inBoth({}) },
  internetGatewayIpPool: { parents: inBoth({ gateway: 'default' }) },
  internetGatewayIpAddress: { parents: inBoth({ gateway: 'default' }) },
}
/** Kinds that the suite cannot make any number of. */
const others: Partial<Record<PlainKind, string>> = {
  networkInterface: 'an instance has one in each subnet, and the first is deleted last',
  probe: 'it needs a role on the fleet as well, and the project is named with an id',
  supportBundle: 'there is room for a few, and one that is deleted stays until its room is free',
}

for (const kind of createdKinds) if (!(kind in others)) plainSuite(kind, differences[kind])
