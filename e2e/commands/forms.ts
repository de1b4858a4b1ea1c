/** Every form that sends something: where it is, how it is opened, and what is filled in. */
import type { Client } from '@purlin/contract/client'
import type { Operations } from '@purlin/contract/operations'
import { button, find, fromRow, menuItem, pick } from '../support/actions.ts'
import { makeDisk, makeFloatingIp, makeInstance, makeProject } from '../support/prepare.ts'
import type { Person } from '../support/world.ts'
import { ofFleet, prepareFleet } from './fleet-forms.ts'
import { placesOfProjects, type Places } from './results.ts'
import { answers, create, described, edit, fields, name, named, type FormRow } from './rows.ts'

const telemetry = '/projects/telemetry'
const own = '/projects/PLACE'
const vpc = '/projects/storefront/vpcs/backend'
const access = 'features/access'

/** The forms of the users of a silo. */
const ofSilo: readonly FormRow[] = [
  { file: create, path: '/projects-new', fill: named, plans: true },
  {
    file: create,
    path: `${own}/vpcs-new`,
    fill: fields({ Name: name, 'DNS name': 'inner' }),
    plans: true,
  },
  {
    file: create,
    path: `${own}/vpcs/lab/subnets-new`,
    fill: fields({ Name: name, 'IPv4 block': '172.30.201.0/24' }),
    plans: true,
  },
  { file: create, path: `${own}/vpcs/lab/routers-new`, fill: named, plans: true },
  { file: create, path: `${own}/affinity-new`, fill: named, plans: true },
  {
    file: create,
    path: `${own}/schedules-new`,
    fill: async (form) => {
      await named(form)
      const tag = form.getByRole('combobox', { name: 'Tag' })
      await tag.fill('env=test')
      await tag.press('Tab')
    },
    plans: true,
  },
  {
    file: create,
    path: `${own}/user-data-templates-new`,
    fill: fields({ Name: name, 'User data': '#cloud-config' }),
    plans: true,
  },
  {
    file: create,
    path: `${telemetry}/snapshots/ingest-before-upgrade/images-new`,
    fill: fields({ Name: name, OS: 'plan9', Version: '4' }),
  },
  { file: edit, path: `${own}/edit`, fill: described, plans: true },
  { file: edit, path: `${own}/vpcs/lab/edit`, fill: described, plans: true },
  { file: edit, path: `${vpc}/subnets/databases/edit`, fill: described, plans: true },
  { file: edit, path: `${vpc}/routers/inner/routes/stay/edit`, fill: described, plans: true },
  { file: edit, path: `${own}/floating-ips/front/edit`, fill: described, plans: true },
  {
    file: edit,
    path: `${own}/affinity/apart/edit`,
    fill: described,
    plans: true,
  },
  {
    file: 'features/disks/DiskForm.tsx',
    path: `${own}/disks-new`,
    fill: fields({ Name: 'another' }),
    plans: true,
  },
  { file: `${access}/people/GroupDialogs.tsx`, path: '/access/groups', open: 'New group', fill: named },
  {
    file: `${access}/people/LocalUserDialogs.tsx`,
    path: '/access/users',
    open: 'New user',
    fill: fields({ Name: name, Password: 'a longer secret of 1' }),
  },
  {
    file: `${access}/roles/AddRole.tsx`,
    path: `${telemetry}/access-new`,
    fill: (form, page) => find(page, form, 'User or group', 'sofia-reyes'),
    plans: true,
  },
  {
    file: `${access}/roles/ChangeRole.tsx`,
    path: `${telemetry}/access`,
    open: (page) => fromRow(page, 'rosa-lima', 'Change role'),
    fill: (form) => form.getByRole('radio', { name: /^Collaborator/i }).check({ force: true }),
    plans: true,
  },
  {
    file: `${access}/service-accounts/AccountDialogs.tsx`,
    path: '/access/service-accounts',
    open: 'New service account',
    fill: named,
  },
  {
    file: `${access}/service-accounts/KeyDialogs.tsx`,
    path: '/access/service-accounts/pipeline',
    open: 'New key',
    fill: named,
  },
  {
    file: 'features/access-tokens/NewAccessToken.tsx',
    path: '/settings/access-tokens',
    open: 'New access token',
    fill: named,
  },
  {
    file: `${access}/sign-in.tsx`,
    path: '/access/sign-in',
    open: 'Edit',
    fill: (form) => form.getByRole('textbox').first().fill('86400'),
  },
  {
    file: 'features/firewall-rules/RuleForm.tsx',
    path: `${own}/vpcs/lab/firewall-rules-new`,
    fill: async (form) => {
      await named(form)
      await form.getByRole('radio', { name: /^All instances/ }).check({ force: true })
    },
    plans: true,
  },
  {
    file: 'features/disks/schedule/ScheduleForm.tsx',
    path: `${telemetry}/disks/ingest-gateway-boot`,
    open: (page) => page.getByRole('button', { name: /^(Set schedule|Change)$/ }).click(),
  },
  {
    file: 'features/images/import/ImportForm.tsx',
    path: `${telemetry}/images-import`,
    fill: fields({ Address: 'https://images.example.org/a.raw', Name: name, OS: 'plan9', Version: '4' }),
  },
  {
    file: 'features/images/PromoteDialog.tsx',
    path: `${telemetry}/images`,
    open: (page) => fromRow(page, 'collector-golden', 'Promote'),
  },
  {
    file: 'features/images/moveDialogs.tsx',
    path: '/images',
    open: (page) => fromRow(page, 'debian-13', 'Demote'),
    fill: (form, page) => find(page, form, 'Project', 'telemetry'),
  },
  {
    file: 'features/second-factor/RenameDialog.tsx',
    path: '/settings/second-factor',
    mock: answers('**/v1/me/second-factors*', {
      items: [
        {
          id: '7f3a9e2c-0000-4000-8000-000000000000',
          name: 'phone',
          description: '',
          type: 'totp',
          time_created: '2026-05-01T03:00:00Z',
          time_modified: '2026-05-01T03:00:00Z',
        },
      ],
    }),
    open: (page) => fromRow(page, 'phone', 'Rename'),
    fill: named,
  },
  {
    file: 'features/settings/password.tsx',
    path: '/settings/password',
    fill: fields({
      'Current password': 'drafting-table',
      'New password': 'a longer secret of 1',
      'Repeat new password': 'a longer secret of 1',
    }),
  },
]

/** A project with something for each form of instances and networks; it is a place. */
async function prepareProject(api: Client<Operations>, project: string): Promise<void> {
  const query = { project }
  const described = { description: '' }
  await Promise.all([
    makeInstance(api, { project, name: 'web' }),
    makeDisk(api, project, 'loose'),
    makeFloatingIp(api, project, 'front'),
    api.vpcCreate({ query, body: { name: 'lab', ...described, dnsName: 'lab' } }),
    api.antiAffinityGroupCreate({
      query,
      body: { name: 'apart', ...described, policy: 'allow', failureDomain: 'sled' },
    }),
    api.vpcSubnetCreate({
      query: { project, vpc: 'default' },
      body: { name: 'second', ...described, ipv4Block: '172.30.200.0/24' },
    }),
  ])
  await api.internetGatewayCreate({ query: { project, vpc: 'lab' }, body: { name: 'empty', ...described } })
  await api.vpcFirewallRulesUpdate({ query: { project, vpc: 'lab' }, body: { rules: [] } })
}

const web = `${own}/instances/web`

const ofProject: readonly FormRow[] = [
  {
    isAnother: true,
    file: 'features/floating-ips/AttachToInstanceDialog.tsx',
    path: `${own}/floating-ips`,
    open: (page) => fromRow(page, 'front', 'Attach'),
    fill: (form, page) => find(page, form, 'Instance', 'web'),
    plans: true,
  },
  {
    isAnother: true,
    file: 'features/disks/attaching/AttachToInstanceDialog.tsx',
    path: `${own}/disks`,
    open: (page) => fromRow(page, 'loose', 'Attach'),
    fill: (form, page) => find(page, form, 'Instance', 'web'),
    plans: true,
  },
  {
    isAnother: true,
    file: 'features/affinity-groups/AddMemberDialog.tsx',
    path: `${own}/affinity/apart`,
    open: 'Add instance',
    fill: (form, page) => find(page, form, 'Instance', 'web'),
    plans: true,
  },
  {
    file: 'features/instances/create/NewInstance.tsx',
    path: `${own}/instances-new`,
    fill: async (form, page) => {
      await named(form)
      await find(page, form, 'Image', 'debian-13')
    },
    plans: true,
  },
  {
    file: 'resource/form/EditDialog.tsx',
    path: `${own}/disks`,
    open: (page) => fromRow(page, 'loose', 'Edit'),
    fill: described,
    plans: true,
  },
  {
    file: 'features/disks/GrowDialog.tsx',
    path: `${own}/disks`,
    open: (page) => fromRow(page, 'loose', 'Enlarge'),
    fill: (form) => form.getByRole('textbox').first().fill('12'),
    plans: true,
  },
  {
    file: 'resource/tags/TagsDialog.tsx',
    path: `${own}/disks`,
    open: (page) => fromRow(page, 'loose', 'Change tags'),
    fill: (form) => form.getByRole('textbox', { name: 'Tags' }).fill('env=prod'),
  },
  {
    file: 'features/disks/RollBackForm.tsx',
    path: `${telemetry}/snapshots`,
    open: (page) => fromRow(page, 'ingest-before-upgrade', 'Roll disk back'),
  },
  {
    file: 'features/instances/snapshots/TakeDialog.tsx',
    path: `${web}/snapshots`,
    open: 'Snapshot instance',
    fill: named,
  },
  {
    file: 'features/disks/RollBackForm.tsx',
    path: `${telemetry}/instances/ingest-gateway/snapshots`,
    open: (page) => fromRow(page, 'last-good', 'Roll instance back'),
  },
  {
    file: 'features/disks/AttachDiskDialog.tsx',
    path: `${web}/storage`,
    open: 'Attach existing disk',
    fill: (form, page) => find(page, form, 'Disk name', 'loose'),
    plans: true,
  },
  { file: 'features/disks/DiskForm.tsx', path: `${web}/storage`, open: 'Create disk', fill: named },
  {
    file: 'features/instances/networking/NicForm.tsx',
    path: `${web}/networking`,
    open: 'Add network interface',
    fill: async (form, page) => {
      await named(form)
      await find(page, form, 'Subnet', 'second')
    },
    plans: true,
  },
  {
    file: 'features/instances/networking/EditNicForm.tsx',
    path: `${web}/networking`,
    open: (page) => fromRow(page, /^net0/, 'Edit'),
    fill: described,
    plans: true,
  },
  {
    file: 'features/instances/networking/AttachEphemeralIpDialog.tsx',
    path: `${web}/networking`,
    open: 'Attach ephemeral IP',
    plans: true,
  },
  {
    file: 'features/floating-ips/AttachFloatingIpDialog.tsx',
    path: `${web}/networking`,
    open: 'Attach floating IP',
    fill: (form, page) => find(page, form, 'Floating IP', 'front'),
    plans: true,
  },
  {
    file: 'features/instances/settings/AntiAffinityCard.tsx',
    path: `${web}/settings`,
    open: 'Add to group',
    fill: (form, page) => find(page, form, 'Anti-affinity group', 'apart'),
    plans: true,
  },
  {
    file: 'features/instances/settings/ResizeDialog.tsx',
    path: `${own}/instances`,
    open: (page) => fromRow(page, 'web', 'Resize'),
    fill: fields({ vCPUs: '4' }),
    plans: true,
  },
  {
    file: 'features/firewall-rules/rules/CopyRulesDialog.tsx',
    path: `${own}/vpcs/default/firewall-rules`,
    open: 'Clone rules',
    fill: (form, page) => find(page, form, 'VPC', 'lab'),
    plans: true,
  },
  {
    file: 'features/internet-gateways/AttachAddressDialog.tsx',
    path: `${own}/vpcs/lab/internet-gateways/default`,
    open: 'Attach IP address',
    fill: fields({ 'IP address': '198.51.100.77', Name: name }),
  },
  {
    file: 'features/internet-gateways/AttachPoolDialog.tsx',
    path: `${own}/vpcs/lab/internet-gateways/empty`,
    open: 'Attach IP pool',
    fill: (form, page) => pick(page, form, 'IP pool', 'office'),
  },
  {
    file: 'resource/actions/TaskForm.tsx',
    path: `${own}/disks`,
    open: async (page) => {
      await page.getByRole('checkbox', { name: 'Select loose', exact: true }).check()
      await button(page, 'Snapshot').click()
    },
    // The request that is sent also has the digest of the plan.
    isReviewed: true,
    isAnother: true,
  },
  {
    isAnother: true,
    file: 'resource/list/views/ViewsDialog.tsx',
    path: `${own}/disks`,
    open: async (page) => {
      await button(page, 'List options').click()
      await menuItem(page, 'Saved views…').click()
    },
    fill: fields({ 'Save the present view as': name }),
  },
]

interface FormsOf {
  as: Person
  rows: readonly FormRow[]
  /** Makes the places of which the first stands for `PLACE` in addresses. */
  prepare: (api: Client<Operations>) => Promise<Places>
}

export const formRows: readonly FormsOf[] = [
  {
    as: 'hanna-okafor',
    rows: [...ofSilo, ...ofProject],
    async prepare(api) {
      const project = () => makeProject(api, 'forms')
      const names = [await project(), await project(), await project()] as const
      await Promise.all(names.map((name) => prepareProject(api, name)))
      return placesOfProjects(names)
    },
  },
  { as: 'tariq-aziz', rows: ofFleet, prepare: prepareFleet },
]

/** Forms that cannot be sent here, and why. */
export const unreached: Readonly<Record<string, string>> = {
  'features/ip-pools/FirstPool.tsx':
    'it needs an installation without pools; the journey of first steps fills it in',
  'features/images/upload/UploadForm.tsx': 'it shows a command that makes many requests of a file',
}
