/** Actions that run without a question show their commands in the menu. */
import type { Locator, Page } from '@playwright/test'
import { button, dialog, go, menuItem, pick, row } from '../support/actions.ts'
import { expectState, makeInstance } from '../support/prepare.ts'
import { expect, test } from '../support/world.ts'
import { openComparison } from './compare.ts'
import { openRunner } from './runner.ts'
import { shownIn } from './shown.ts'

/** Shows the action of a menu as a command; one of several is chosen first. */
async function shownInMenu(page: Page, menu: Locator, { label, isOneOf = false }: OfMenu) {
  await menu.click()
  await menuItem(page, 'View as command').click()
  const shown = dialog(page, 'View as command')
  if (isOneOf) await pick(page, shown, 'Action', label)
  await expect(shown).toContainText(`Each does the same as '${label}'`)
  return shownIn(page)
}
interface OfMenu {
  label: string
  /** The menu has other such actions. */
  isOneOf?: boolean
}

const actOf = (page: Page, menu: Locator, label: string) => async () => {
  await menu.click()
  await menuItem(page, label).click()
}

test('the menus of rules, interfaces and instances show their actions as commands', async ({
  page,
  own,
  api,
  troubles,
}) => {
  troubles.allow(/^400 /, /only recorded/)
  const runner = openRunner()
  const { compare, close } = await openComparison(runner)
  const project = await own('acting')
  await makeInstance(api, { project, name: 'web' })
  await api.vpcSubnetCreate({
    query: { project, vpc: 'default' },
    body: { name: 'second', description: '', ipv4Block: '172.30.200.0/24' },
  })
  await api.instanceNetworkInterfaceCreate({
    query: { project, instance: 'web' },
    body: { name: 'spare', description: '', vpcName: 'default', subnetName: 'second' },
  })
  const check = async (menu: Locator, of: OfMenu) =>
    compare(page, await shownInMenu(page, menu, of), actOf(page, menu, of.label))
  const menuOf = (name: string | RegExp) => button(row(page, name), 'Row actions')

  await go(page, `/projects/${project}/vpcs/default/firewall-rules`)
  await check(menuOf('allow-ssh'), { label: 'Disable', isOneOf: true })
  await check(menuOf('allow-ssh'), { label: 'Move up', isOneOf: true })
  await go(page, `/projects/${project}/instances/web/networking`)
  await check(menuOf('spare'), { label: 'Make primary' })
  await go(page, `/projects/${project}/instances`)
  await check(menuOf('web'), { label: 'Start' })

  // Disabled actions, and those that ask, have no command there.
  await api.instanceStart({ params: { instance: 'web' }, query: { project } })
  await expectState(api, { project, name: 'web' }, 'running')
  await menuOf('web').click()
  await expect(menuItem(page, 'Stop')).toBeEnabled()
  await menuItem(page, 'View as command').click()
  const shown = dialog(page, 'View as command')
  await expect(shown).toContainText("Each does the same as 'Protect'")
  await expect(shown.getByText('Action', { exact: true })).toHaveCount(0)
  close()
  runner.close()
})

test('the menu of an alert and a button show their requests as commands', async ({
  page,
  enter,
  api,
  troubles,
}) => {
  troubles.allow(/^400 /, /only recorded/)
  const runner = openRunner()
  const { compare, close } = await openComparison(runner)
  await enter('/system/alerts/active', 'tariq-aziz')
  const { items } = await api.alertList({ query: { state: 'active' } })
  const alert = page.getByRole('row').filter({ hasText: items[0]?.text ?? '?' })
  const menu = button(alert, 'Row actions')
  const shown = await shownInMenu(page, menu, { label: 'Acknowledge', isOneOf: true })
  await compare(page, shown, actOf(page, menu, 'Acknowledge'))

  await go(page, '/system/networking/allowed-sources')
  const answer = button(page, 'Answer pings')
  await answer.waitFor()
  await button(page, 'View as command').click()
  await compare(page, await shownIn(page), () => answer.click())
  close()
  runner.close()
})
