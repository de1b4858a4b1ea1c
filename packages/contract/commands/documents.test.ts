import { expect, it } from 'vitest'
import { GiB } from '../rules/limits.ts'
import { documentOf } from './documents.ts'
import { documentText, wireArgs } from './text.ts'
import { yamlText } from './yaml.ts'

const id = '6f1f3a3a-8f3e-4d43-9d37-2c8d1f4b7a10'

it('a creation is a document with the resource at its place, and nothing else', () => {
  const disk = wireArgs('diskCreate', {
    query: { project: 'demo' },
    body: { name: 'data', description: '', size: GiB, diskSource: { type: 'blank', blockSize: 4096 } },
  })
  expect(documentText('diskCreate', disk)).toBe(
    [
      'purlin: 1',
      'projects:',
      '  - name: demo',
      '    disks:',
      '      - name: data',
      '        description: ""',
      '        size: 1073741824',
      '        disk_source:',
      '          type: blank',
      '          block_size: 4096',
      '',
    ].join('\n'),
  )
  const route = {
    query: { project: 'demo', vpc: 'inner', router: 'r' },
    body: { name: 'a', description: '' },
  }
  expect(documentOf('vpcRouterRouteCreate', route)).toEqual({
    purlin: 1,
    projects: [{ name: 'demo', vpcs: [{ name: 'inner', routers: [{ name: 'r', routes: [route.body] }] }] }],
  })
})

it('a change is a document with the fields that it gives, by the names around it', () => {
  const args = { params: { floating_ip: id }, body: { name: 'front', description: 'new' } }
  expect(documentOf('floatingIpUpdate', args, { project: 'demo', floatingIp: 'front' })).toEqual({
    purlin: 1,
    projects: [{ name: 'demo', floating_ips: [{ name: 'front', description: 'new' }] }],
  })
  const protection = { query: { project: 'demo' }, params: { disk: 'data' }, body: { protected: false } }
  expect(documentOf('diskUpdate', protection)).toEqual({
    purlin: 1,
    projects: [{ name: 'demo', disks: [{ name: 'data', protected: false }] }],
  })
  const assignments = [{ identity_type: 'silo_user', identity_id: id, role_name: 'viewer' }]
  const policy = { role_assignments: assignments }
  expect(documentOf('projectPolicyUpdate', { params: { project: 'demo' }, body: policy })).toEqual({
    purlin: 1,
    projects: [{ name: 'demo', policy: assignments }],
  })
  expect(documentOf('systemPolicyUpdate', { body: policy })).toEqual({ purlin: 1, fleet_policy: assignments })
  const rules = { query: { project: 'demo', vpc: 'inner' }, body: { rules: [] } }
  expect(documentOf('vpcFirewallRulesUpdate', rules)).toEqual({
    purlin: 1,
    projects: [{ name: 'demo', vpcs: [{ name: 'inner', firewall_rules: [] }] }],
  })
  const range = { first: '192.0.2.1', last: '192.0.2.9' }
  expect(documentOf('ipPoolRangeAdd', { params: { pool: 'public' }, body: range })).toEqual({
    purlin: 1,
    ip_pools: [{ name: 'public', ranges: [range] }],
  })
  const link = { params: { pool: 'public' }, body: { silo: 'acme', is_default: true } }
  expect(documentOf('ipPoolSiloLink', link)).toEqual({
    purlin: 1,
    ip_pools: [{ name: 'public', silos: [link.body] }],
  })
  const member = { params: { affinity_group: 'near', instance: 'web' }, query: { project: 'demo' } }
  expect(documentOf('affinityGroupMemberInstanceAdd', member)).toEqual({
    purlin: 1,
    projects: [{ name: 'demo', affinity_groups: [{ name: 'near', members: [{ name: 'web' }] }] }],
  })
})

it('disks, interfaces and addresses are changed in the instance that has them', () => {
  const around = (of: object) => ({
    purlin: 1,
    projects: [{ name: 'demo', instances: [{ name: 'web', ...of }] }],
  })
  const web = { params: { instance: 'web' }, query: { project: 'demo' } }
  expect(documentOf('instanceDiskAttach', { ...web, body: { disk: 'data' } })).toEqual(
    around({ disks: [{ type: 'attach', name: 'data' }] }),
  )
  const nic = { name: 'net1', description: '', vpc_name: 'default', subnet_name: 'second' }
  const ofWeb = { query: { project: 'demo', instance: 'web' } }
  expect(documentOf('instanceNetworkInterfaceCreate', { ...ofWeb, body: { ...nic, ip: null } })).toEqual(
    around({ network_interfaces: { type: 'create', params: [nic] } }),
  )
  const edit = { params: { interface: id }, body: { name: 'net1', description: 'new', primary: false } }
  const names = { project: 'demo', instance: 'web', interface: 'net1' }
  expect(documentOf('instanceNetworkInterfaceUpdate', edit, names)).toEqual(
    around({ network_interfaces: { type: 'create', params: [{ name: 'net1', description: 'new' }] } }),
  )
  expect(documentOf('instanceEphemeralIpAttach', { ...web, body: { pool: 'public' } })).toEqual(
    around({ external_ips: [{ type: 'ephemeral', pool: 'public' }] }),
  )
  const attach = { params: { floating_ip: 'front' }, ...ofWeb, body: { kind: 'instance', parent: 'web' } }
  expect(documentOf('floatingIpAttach', attach)).toEqual(
    around({ external_ips: [{ type: 'floating', floating_ip: 'front' }] }),
  )
})

it('a change of an instance has nothing that stays, and names its boot disk', () => {
  const web = { params: { instance: 'web' }, query: { project: 'demo' } }
  const body = { ncpus: 4, bootDisk: 'data', protected: false }
  const wire = wireArgs('instanceUpdate', { ...web, body } as never)
  const row = { name: 'web', ncpus: 4, protected: false, boot_disk: { type: 'attach', name: 'data' } }
  expect(documentOf('instanceUpdate', wire)).toEqual({
    purlin: 1,
    projects: [{ name: 'demo', instances: [row] }],
  })
  const byId = { ...web, body: { boot_disk: id } }
  expect(() => documentOf('instanceUpdate', byId)).toThrow(/name of the disk/)
})

it('a request that no document means says why', () => {
  const at = { project: 'demo' }
  type Arguments = Parameters<typeof documentOf>
  const cases: [...Arguments, RegExp][] = [
    ['currentUserSshKeyCreate', { body: { name: 'a' } }, {}, /do not have this/],
    ['diskDelete', { params: { disk: 'a' }, query: at }, {}, /--prune/],
    ['diskCreate', { query: { project: id }, body: { name: 'a' } }, {}, /name of the project/],
    [
      'instanceNetworkInterfaceUpdate',
      { params: { interface: 'a' }, body: { primary: true } },
      {},
      /say primary/,
    ],
    [
      'floatingIpAttach',
      { params: { floating_ip: id }, body: { parent: 'web' } },
      at,
      /name of the floating IP/,
    ],
    ['instanceDiskAttach', { body: { disk: 'data' } }, at, /name of the instance/],
    ['floatingIpCreate', { query: at, body: { name: 'a', pool: 'public' } }, {}, /cannot say pool/],
    ['projectUpdate', { params: { project: id }, body: { name: 'b' } }, at, /cannot rename/],
    [
      'vpcSubnetUpdate',
      { query: { ...at, vpc: 'v' }, params: { subnet: 'a' }, body: { custom_router: null } },
      {},
      /custom_router/,
    ],
  ]
  for (const [name, args, names, reason] of cases)
    expect(() => documentOf(name, args, names), name).toThrow(reason)
})

it('strings that could be read as something else are quoted', () => {
  const value = {
    a: ['yes', 'web-1', '', '1', '-', 'a: b', 'x\u001b'],
    no: [[], {}],
    deep: [[1, { b: null }]],
  }
  expect(yamlText(value)).toBe(
    [
      'a:',
      '  - "yes"',
      '  - web-1',
      '  - ""',
      '  - "1"',
      '  - "-"',
      '  - "a: b"',
      '  - "x\\u001b"',
      '"no":',
      '  - []',
      '  - {}',
      'deep:',
      '  - - 1',
      '    - b: null',
      '',
    ].join('\n'),
  )
})
