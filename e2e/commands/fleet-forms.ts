import type { Locator, Page } from '@playwright/test'
import type { Client } from '@purlin/contract/client'
import type { Operations } from '@purlin/contract/operations'
import { GiB } from '@purlin/contract/rules/limits'
import { button, dialog, find, fromRow, go, menuItem, pick, unique } from '../support/actions.ts'
import { placesOfFleet, type Places } from './results.ts'
import { create, described, edit, fields, name, named, type FormRow } from './rows.ts'

const networking = '/system/networking'

/** Opens a dialog of a port that has settings. */
async function onPort(page: Page, item: string): Promise<void> {
  const { items } = await page.evaluate(
    async (path) => (await (await fetch(path)).json()) as { items: Record<string, string>[] },
    '/v1/system/hardware/switch-port?limit=100',
  )
  const port = items.find((one) => one['port_settings_id'])
  await go(page, `/system/inventory/switches/${port?.['switch_id']}/ports/${port?.['port_name']}`)
  await button(page, 'Port actions').click()
  await menuItem(page, item).click()
}

/** Three silos, each with a pool that it is not linked to. */
export async function prepareFleet(api: Client<Operations>): Promise<Places> {
  const make = async () => {
    const name = unique('zz-forms')
    const body = { name, description: '' }
    const quotas = { cpus: 1, memory: GiB, storage: GiB }
    await api.siloCreate({
      body: {
        ...body,
        quotas,
        discoverable: false,
        identityMode: 'local_only',
        tlsCertificates: [],
        mappedFleetRoles: {},
      },
    })
    await api.ipPoolCreate({ body })
    return name
  }
  return placesOfFleet([await make(), await make(), await make()])
}

const namedAfter = (form: Locator, _: Page, own: string) => fields({ Name: `${own}-made` })(form)
const ownSilo = '/system/silos/PLACE'
const ownPool = `${networking}/ip-pools/PLACE`

/** The forms of the operators. */
export const ofFleet: readonly FormRow[] = [
  { file: create, path: '/system/silos-new', fill: namedAfter, makes: true, plans: true },
  { file: create, path: `${networking}/ip-pools-new`, fill: namedAfter, makes: true, plans: true },
  {
    file: 'features/machine-sizes/SiloSizeDialog.tsx',
    path: `${ownSilo}/machine-sizes`,
    open: 'New machine size',
    fill: named,
  },
  { file: edit, path: `${ownPool}/edit`, fill: described, plans: true },
  { file: 'features/silos/SiloForm.tsx', path: `${ownSilo}/edit`, fill: described, plans: true },
  {
    file: 'features/silos/SiloForm.tsx',
    path: `${ownSilo}/quotas/edit`,
    fill: (form) => form.getByRole('textbox').first().fill('4000'),
    plans: true,
  },
  {
    file: 'features/usage/prices.tsx',
    path: '/system/usage/prices',
    fill: fields({ Currency: 'CHF', 'vCPU hour': '0.02' }),
  },
  {
    isAnother: true,
    file: 'features/silos/ip-pools.tsx',
    path: `${ownSilo}/ip-pools`,
    open: 'Link pool',
    fill: (form, page, own) => find(page, form, 'IP pool', own),
    plans: true,
  },
  {
    file: 'features/ip-pools/LinkSiloDialog.tsx',
    path: `${ownPool}?tab=silos`,
    open: 'Link silo',
    fill: (form, page, own) => find(page, form, 'Silo', own),
    plans: true,
  },
  {
    file: 'features/ip-pools/ranges/AddRangeForm.tsx',
    path: `${ownPool}/ranges-add`,
    fill: fields({ First: '198.18.70.1', Last: '198.18.70.9' }),
    plans: true,
  },
  {
    file: 'features/alerts/receivers/create.tsx',
    path: '/system/alerts/receivers-new',
    fill: fields({ Name: name, Endpoint: 'https://alerts.example.org/hook', Secret: 'not to be seen' }),
  },
  {
    file: 'features/alerts/receivers/Secrets.tsx',
    path: '/system/alerts/receivers/on-call',
    open: 'Add secret',
    fill: fields({ Secret: 'not to be seen' }),
  },
  {
    file: 'features/alerts/receivers/Subscriptions.tsx',
    path: '/system/alerts/receivers/on-call',
    open: 'Add subscription',
    fill: fields({ 'Class or glob': 'hardware.*' }),
  },
  {
    file: 'features/network/bfd/Sessions.tsx',
    path: `${networking}/bfd`,
    open: 'New BFD session',
    fill: fields({ Peer: '198.51.100.77' }),
  },
  {
    file: 'features/network/bgp/AnnounceSetForm.tsx',
    path: `${networking}/bgp`,
    open: 'New announce set',
    fill: named,
  },
  {
    file: 'features/network/bgp/Configurations.tsx',
    path: `${networking}/bgp`,
    open: 'New BGP configuration',
    fill: async (form, page) => {
      await fields({ Name: name, ASN: '64999' })(form)
      await pick(page, form, 'Announce set', /./)
    },
  },
  {
    file: 'features/network/lots/create.tsx',
    path: `${networking}/address-lots-new`,
    fill: named,
  },
  {
    file: 'features/network/lots/AddBlock.tsx',
    path: `${networking}/address-lots/rack-infrastructure`,
    open: 'Add block',
    fill: fields({ 'First address': '198.18.9.1', 'Last address': '198.18.9.9' }),
  },
  {
    file: 'features/network/loopbacks/create.tsx',
    path: `${networking}/loopback-addresses-new`,
    fill: async (form, page) => {
      await pick(page, form, 'Address lot', 'rack-infrastructure')
      await fields({ Address: '198.18.9.1' })(form)
    },
  },
  { file: 'features/network/settings/Editor.tsx', path: `${networking}/port-settings-new`, fill: named },
  {
    file: 'features/support-bundles/CommentForm.tsx',
    path: '/system/support-bundles',
    open: (page) =>
      page
        .getByRole('button', { name: /Collect|New support bundle/ })
        .first()
        .click(),
    fill: fields({ Comment: 'why' }),
  },
  {
    file: 'features/identity-providers/CreateProvider.tsx',
    path: '/system/silos/manufacturing/idps-new/oidc',
    fill: fields({
      Name: name,
      Issuer: 'https://id.example.org',
      'Client ID': 'us',
      'Client secret': 'not to be seen',
    }),
  },
  {
    file: 'features/identity-providers/EditProvider.tsx',
    path: '/system/silos/manufacturing/idps/oidc/partners/edit',
    fill: described,
  },
  {
    file: 'resource/form/RowDialog.tsx',
    path: '/system/inventory/switches',
    open: (page) => onPort(page, 'Edit LLDP'),
    fill: fields({ 'LLDP: management address': '192.0.2.7' }),
  },
  {
    file: 'features/hardware/change/ReviewChange.tsx',
    path: '/system/inventory/switches',
    open: (page) => onPort(page, 'Clear settings'),
  },
  {
    file: 'features/alerts/receivers/EditReceiver.tsx',
    path: '/system/alerts/receivers',
    open: (page) => fromRow(page, 'on-call', 'Edit'),
    fill: described,
  },
  {
    file: 'features/silos/CreateScimToken.tsx',
    path: '/system/silos/manufacturing/scim',
    open: 'Create token',
    fill: named,
  },
  {
    file: 'features/update/AddTrustRoot.tsx',
    path: '/system/update',
    open: 'Add trust root',
    fill: (form) =>
      form
        .locator('input[type=file]')
        .setInputFiles({ name: 'root.json', mimeType: 'application/json', buffer: Buffer.from('{"a":"b"}') }),
  },
  { file: 'features/hardware/hosts/AddHost.tsx', path: '/system/inventory/hosts', open: 'Add host' },
  {
    file: 'features/hardware/maintenance/StartMaintenance.tsx',
    path: '/system/inventory/sleds/82d00b12-fb28-8e01-af91-09bc8a326056/maintenance',
    open: 'Start maintenance',
  },
  {
    file: 'features/network/settings/ApplySettings.tsx',
    path: `${networking}/port-settings/uplink-0`,
    open: async (page) => {
      await button(page, 'Port settings actions').click()
      await menuItem(page, 'Apply to a port').click()
    },
    fill: (form, page) => pick(page, form, 'Port', 'switch1 qsfp1'),
    isReviewed: true,
  },
  {
    file: 'features/network/sources/ChangeSources.tsx',
    path: `${networking}/allowed-sources`,
    open: async (page) => {
      await button(page, 'Change').click()
      // Until it has read the list, the page has the only command.
      await dialog(page, 'Change allowed sources').waitFor()
    },
    isReviewed: true,
  },
]
