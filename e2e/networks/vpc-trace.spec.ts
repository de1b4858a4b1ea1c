import type { Page } from '@playwright/test'
import {
  button,
  expectToast,
  find,
  fromRow,
  menuItem,
  openRowMenu,
  pick,
  row,
  textbox,
} from '../support/actions.ts'
import { makeInstance, openIn } from '../support/prepare.ts'
import { expect, test } from '../support/world.ts'

const path = (page: Page) => page.getByRole('list', { name: 'Path' })
const form = (page: Page) => page.getByRole('form', { name: 'Trace' })
const verdict = (page: Page) => page.getByRole('tabpanel').getByRole('status').filter({ hasText: /\./ })

test('a person finds out why a port is closed, opens it and sees the packet arrive', async ({
  page,
  own,
  api,
}) => {
  const project = await own('trace')
  const query = { project, vpc: 'default' }
  await Promise.all(['web', 'db'].map((name) => makeInstance(api, { project, name, start: true })))
  const { rules } = await api.vpcFirewallRulesView({ query })
  await api.vpcFirewallRulesUpdate({
    query,
    body: {
      rules: [
        ...rules,
        {
          name: 'no-database',
          description: '',
          status: 'enabled',
          direction: 'inbound',
          action: 'deny',
          priority: 10,
          targets: [{ type: 'instance', value: 'db' }],
          filters: { hosts: null, ports: ['5432'], protocols: [{ type: 'tcp' }] },
        },
      ],
    },
  })
  await openIn(page, project, 'instances/web/networking')
  await openRowMenu(page, /^net0/)
  await menuItem(page, 'Trace from here').click()
  await expect(form(page).getByRole('combobox', { name: 'From', exact: true })).toHaveValue('web')
  await expect(page.getByText('No packet traced yet')).toBeVisible()
  await button(form(page), 'Trace').click()
  await expect(form(page).getByText('To is required')).toBeVisible()
  await find(page, form(page), 'To', 'db')
  await textbox(form(page), 'Destination port').fill('5432')
  await button(form(page), 'Trace').click()

  await expect(verdict(page)).toContainText("Rule 'no-database' (priority 10) denies it")
  await expect(path(page).getByText('not reached')).toBeVisible()
  const question = new URL(page.url()).search
  expect(question).toBe('?from=web&to=db&protocol=tcp&port=5432')

  await path(page).getByRole('link', { name: 'no-database' }).click()
  await expect(row(page, 'no-database')).toHaveAttribute('aria-current', 'true')
  await expect(row(page, 'allow-ssh')).not.toHaveAttribute('aria-current')
  await fromRow(page, 'no-database', 'Disable')
  await expectToast(page, 'Firewall rule no-database disabled')

  await openIn(page, project, `vpcs/default/trace${question}`)
  await expect(verdict(page)).toContainText('Passes')
  await expect(path(page)).toContainText('allow-internal-inbound')
  await expect(path(page)).toContainText("Instance 'db' receives it")
  await expect(path(page).getByText('not reached')).toBeHidden()
})

test('the way out leads by a marked route and a gateway, and a dead end says what to do', async ({
  page,
  own,
  api,
  troubles,
}) => {
  troubles.allow(/404/)
  const project = await own('trace-out')
  await makeInstance(api, { project, name: 'web', start: true })
  await openIn(page, project, 'vpcs/default/trace?from=web&to=8.8.8.8&protocol=udp&port=53')
  await expect(verdict(page)).toContainText('It leaves the VPC for 8.8.8.8.')
  await expect(path(page).getByRole('link', { name: 'default', exact: true })).toBeVisible()
  await path(page).getByRole('link', { name: 'default-v4' }).click()
  await expect(row(page, 'default-v4')).toHaveAttribute('aria-current', 'true')

  await openIn(page, project, 'vpcs/default/trace?from=web&to=gone&protocol=other')
  await expect(page.getByText('It may have been deleted: pick another end.')).toBeVisible()
  await pick(page, form(page), 'Protocol', 'ICMP')
  const to = form(page).getByRole('combobox', { name: 'To', exact: true })
  await to.fill('10.0.0')
  await to.press('Tab')
  await button(form(page), 'Trace').click()
  await expect(form(page).getByText('Choose an instance, or enter an IP address')).toBeVisible()
  await to.fill('172.30.0.200')
  await to.press('Tab')
  await button(form(page), 'Trace').click()
  await expect(verdict(page)).toContainText('No interface of the VPC has 172.30.0.200.')
})

test('the link is copied, and a rule can be traced by a viewer', async ({ page, enter, troubles }) => {
  troubles.allow(/404/)
  await page
    .context()
    .grantPermissions(['clipboard-read', 'clipboard-write'])
    .catch(() => undefined)
  await enter('/projects/telemetry/vpcs/default/firewall-rules', 'rosa-lima')
  await fromRow(page, 'allow-ssh', 'Trace traffic of this rule')
  await expect(textbox(form(page), 'Destination port')).toHaveValue('22')
  await find(page, form(page), 'From', '203.0.113.7')
  await find(page, form(page), 'To', 'ingest-gateway')
  await button(form(page), 'Trace').click()
  await expect(path(page)).toBeVisible()
  await button(page, 'Copy link').click()
  await expectToast(page, 'Link copied')
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(new URL(copied).search).toBe('?from=203.0.113.7&to=ingest-gateway&protocol=tcp&port=22')
})
