import { expect, it } from 'vitest'
import { isRecorded, type OpShape } from '#/op.ts'
import { operations } from '#/operations.ts'
import { kindOf, kindNames } from '#/rules/kinds.ts'
import { GiB, limits, MiB } from '#/rules/limits.ts'
import { snake } from '#/wire.ts'
import { deedWords, mainObject, sentenceText, type TouchedObject } from './deeds.ts'
import { hasDoneWords } from './done-words.ts'

const object = (type: string, name: string, after: string | null = name, before: string | null = name) => ({
  type,
  id: `${type} ${name}`,
  nameBefore: before,
  nameAfter: after,
})
const web = object('instance', 'web-01')
const boot = object('disk', 'web-01-boot')

it.each<[string, TouchedObject[], TouchedObject | string | undefined]>([
  ['instance_update', [web, boot], web],
  ['instance_create', [object('disk', 'boot', 'boot', null), { ...web, nameBefore: null }], 'web-01'],
  ['disk_delete', [web, { ...boot, nameAfter: null }], 'web-01-boot'],
  ['vpc_subnet_create', [object('vpc', 'default'), object('vpc-subnet', 'a', 'a', null)], 'a'],
  ['image_demote', [object('project', 'demo'), object('project-image', 'debian')], 'debian'],
  ['instance_start', [], undefined],
  ['instance_disk_attach', [web, { ...boot, changes: [{ field: 'instance' }] }], 'web-01-boot'],
  // An operation of no kind is about what it changed.
  ['login_local', [object('silo', 'main'), object('silo-user', 'dana')], 'dana'],
])('%s is mostly about one of the objects that it names', (operationId, objects, main) => {
  const found = mainObject({ operationId, objects })
  if (typeof main === 'object') expect(found).toBe(main)
  else expect(found?.nameBefore ?? found?.nameAfter).toBe(main)
})

const changed = (type: string, name: string, ...changes: NonNullable<TouchedObject['changes']>) => ({
  ...object(type, name),
  changes,
})
const cpus = { field: 'ncpus', before: '2', after: '4' }
const description = { field: 'description' }
const project = object('project', 'demo')

it.each<[string, TouchedObject[], string, string]>([
  [
    'instance_update',
    [changed('instance', 'web-01', cpus)],
    'resized web-01 from 2 to 4 vCPUs',
    'resized from 2 to 4 vCPUs',
  ],
  [
    'instance_update',
    [
      changed(
        'instance',
        'web-01',
        { ...cpus, after: '1' },
        { field: 'memory', before: String(4 * GiB), after: String(8 * GiB) },
      ),
    ],
    'resized web-01 from 2 to 1 vCPU and from 4 to 8 GiB of memory',
    'resized from 2 to 1 vCPU and from 4 to 8 GiB of memory',
  ],
  [
    'disk_update',
    [
      project,
      changed('disk', 'data', {
        field: 'size',
        before: String(10 * GiB),
        after: String(20 * GiB),
      }),
    ],
    'enlarged disk data from 10 to 20 GiB',
    'enlarged from 10 to 20 GiB',
  ],
  [
    'instance_update',
    [object('instance', 'web-01', 'web-02')],
    'renamed web-01 to web-02',
    'renamed from web-01 to web-02',
  ],
  ['vpc_update', [object('vpc', 'a', 'b')], 'renamed VPC a to b', 'renamed from a to b'],
  [
    'disk_update',
    [changed('disk', 'data', description)],
    'changed the description of disk data',
    'changed the description',
  ],
  [
    'instance_update',
    [
      {
        ...object('instance', 'web-01', 'web-02'),
        changes: [cpus, description],
      },
    ],
    'edited instance web-02 (renamed from web-01 to web-02, resized from 2 to 4 vCPUs, changed the description)',
    'renamed from web-01 to web-02, resized from 2 to 4 vCPUs, changed the description',
  ],
  [
    'floating_ip_attach',
    [
      web,
      changed('floating-ip', 'front', {
        field: 'instance',
        before: 'web-01',
        after: 'web-02',
      }),
    ],
    'moved floating IP front from web-01 to web-02',
    'moved from web-01 to web-02',
  ],
  [
    'instance_disk_attach',
    [
      web,
      changed('disk', 'data', {
        field: 'instance',
        before: null,
        after: 'web-01',
      }),
    ],
    'attached disk data to web-01',
    'attached to web-01',
  ],
  [
    'instance_disk_detach',
    [
      web,
      changed('disk', 'data', {
        field: 'instance',
        before: 'web-01',
        after: null,
      }),
    ],
    'detached disk data from web-01',
    'detached from web-01',
  ],
  [
    'instance_update',
    [
      changed('instance', 'web-01', {
        field: 'boot_disk',
        before: null,
        after: 'root',
      }),
    ],
    'set the boot disk of web-01 to root',
    'set the boot disk to root',
  ],
  [
    'instance_update',
    [
      changed('instance', 'web-01', {
        field: 'auto_restart_policy',
        before: null,
        after: 'never',
      }),
    ],
    'changed the auto-restart policy of web-01 from default to never',
    'changed the auto-restart policy from default to never',
  ],
  [
    'silo_quotas_update',
    [
      changed(
        'silo',
        'acme',
        { field: 'quota_cpus', before: '10', after: '20' },
        {
          field: 'quota_memory',
          before: String(512 * MiB),
          after: String(2 * GiB),
        },
        { field: 'quota_storage', before: '0', after: String(GiB) },
      ),
    ],
    'changed the quotas of silo acme from 10 to 20 vCPUs, from 512 MiB to 2 GiB of memory and from 0 B to 1 GiB of storage',
    'changed the quotas from 10 to 20 vCPUs, from 512 MiB to 2 GiB of memory and from 0 B to 1 GiB of storage',
  ],
  [
    'machine_size_update',
    [changed('machine-size', 'small', cpus)],
    'changed machine size small from 2 to 4 vCPUs',
    'changed from 2 to 4 vCPUs',
  ],
  [
    'vpc_firewall_rules_update',
    [
      project,
      changed(
        'vpc',
        'shop',
        { field: 'rules_added', before: null, after: 'allow-web' },
        { field: 'rules_removed', before: 'ssh-all, ssh-ops', after: null },
        { field: 'rules_changed', before: null, after: 'allow-icmp' },
      ),
    ],
    'edited VPC shop (added rule allow-web, removed rules ssh-all, ssh-ops, changed rule allow-icmp)',
    'added rule allow-web, removed rules ssh-all, ssh-ops, changed rule allow-icmp',
  ],
  [
    'vpc_firewall_rules_update',
    [changed('vpc', 'shop', { field: 'rules_added', before: null, after: 'a and 30 more' })],
    'added rules a and 30 more to VPC shop',
    'added rules a and 30 more',
  ],
  [
    'vpc_router_route_update',
    [
      changed('router-route', 'out', {
        field: 'target',
        before: 'instance gw',
        after: 'internet gateway default',
      }),
    ],
    'changed the target of route out from instance gw to internet gateway default',
    'changed the target from instance gw to internet gateway default',
  ],
  [
    'schedule_update',
    [changed('schedule', 'nightly', { field: 'paused', before: 'false', after: 'true' })],
    'paused schedule nightly',
    'paused',
  ],
  [
    'project_policy_update',
    [
      changed('project', 'demo', {
        field: 'roles_given',
        before: null,
        after: 'admin to dana, viewer to group ops',
      }),
    ],
    'gave roles admin to dana, viewer to group ops on project demo',
    'gave roles admin to dana, viewer to group ops',
  ],
  [
    'project_policy_update',
    [changed('project', 'demo', { field: 'roles_taken', before: 'admin from dana', after: null })],
    'took role admin from dana on project demo',
    'took role admin from dana',
  ],
  [
    'system_policy_update',
    [changed('silo-user', 'dana', { field: 'fleet_roles_given', before: null, after: 'admin' })],
    'gave role admin on the fleet to user dana',
    'gave role admin on the fleet',
  ],
  [
    'ip_pool_silo_link',
    [changed('ip-pool', 'public', { field: 'silo', before: null, after: 'acme' }), object('silo', 'acme')],
    'linked IP pool public to silo acme',
    'linked to silo acme',
  ],
  [
    'ip_pool_silo_update',
    [changed('ip-pool', 'public', { field: 'default_of', before: null, after: 'acme' })],
    'made IP pool public the default of silo acme',
    'made the default of silo acme',
  ],
  [
    'sled_set_provision_policy',
    [
      changed('sled', 'BRM1', {
        field: 'provision_policy',
        before: 'provisionable',
        after: 'non_provisionable',
      }),
    ],
    'changed the provision policy of sled BRM1 from provisionable to non-provisionable',
    'changed the provision policy from provisionable to non-provisionable',
  ],
  [
    'vpc_update',
    [changed('vpc', 'shop', { field: 'dns_name', before: 'shop', after: 'store' })],
    'changed the DNS name of VPC shop from shop to store',
    'changed the DNS name from shop to store',
  ],
  [
    'disk_tags_change',
    [{ ...boot, tagKeys: ['a', 'b', 'c', 'd'] }],
    'changed the tags of disk web-01-boot (a, b, c and 1 more)',
    'changed the tags (a, b, c and 1 more)',
  ],
  [
    'disk_protection_update',
    [{ ...boot, protected: true }],
    'protected disk web-01-boot from deletion',
    'protected from deletion',
  ],
  // A field that only a newer server has.
  [
    'disk_update',
    [
      changed('disk', 'data', {
        field: 'read_only',
        before: null,
        after: 'true',
      }),
    ],
    'changed the read only of disk data from none to true',
    'changed the read only from none to true',
  ],
  // Entries from before tell no changes, and other operations are not about them.
  ['instance_update', [web], 'edited instance web-01', 'edited instance'],
  [
    'floating_ip_attach',
    [web, object('floating-ip', 'front')],
    'attached floating IP front and 1 more',
    'attached floating IP',
  ],
  [
    'disk_create',
    [project, { ...object('disk', 'a', 'a', null), protected: true }],
    'created disk a (protected from deletion)',
    'created disk',
  ],
  [
    'login_saml',
    [object('silo-user', 'dana', 'Dana Li')],
    'signed in with SAML: user Dana Li',
    'signed in with SAML',
  ],
])('%s of %j reads: %s', (operationId, objects, sentence, words) => {
  expect(sentenceText({ operationId, objects })).toBe(sentence)
  expect(deedWords({ operationId, objects })).toBe(words)
})

it('an entry has room for all fields that kinds declare, and for the description', () => {
  const most = Math.max(...kindNames.map((kind) => Object.keys(kindOf(kind).recorded ?? {}).length))
  expect(most + 1).toBeLessThanOrEqual(limits.audit.changes)
})

it('has words for every operation that is recorded', () => {
  const names = Object.entries<OpShape>(operations).filter(([, op]) => isRecorded(op))
  expect(names.map(([name]) => snake(name)).filter((name) => !hasDoneWords(name))).toEqual([])
})
