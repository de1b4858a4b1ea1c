import { heading, properties, row } from '../support/actions.ts'
import { expect, test } from '../support/world.ts'

test('an operator finds the instance that a failing disk affects', async ({ page, enter, api }) => {
  await enter('/system/silos', 'tariq-aziz')
  await page
    .getByRole('navigation', { name: 'Sidebar navigation' })
    .getByRole('link', { name: /^Issues/ })
    .click()
  await expect(heading(page, 'Issues')).toBeVisible()
  const { items: issues } = await api.attentionList({ query: {} })
  const about = (text = '') => page.getByRole('row').filter({ hasText: text })
  for (const { text, advice } of issues) await expect(about(text)).toContainText(advice)
  const failing = issues.find(({ kind }) => kind === 'disk_failing')
  const disk = await api.physicalDiskView({ params: { diskId: failing?.subject.id ?? '' } })
  const { items: affected } = await api.sledInstanceList({ params: { sledId: disk.sledId ?? '' }, query: {} })

  await about(failing?.text).getByRole('link', { name: disk.serial }).click()
  await expect(heading(page, /^Physical disk /)).toBeVisible()
  await expect(page.getByText('This disk is failing')).toBeVisible()
  await expect(page.getByText(`It reports: ${disk.healthReason}.`)).toBeVisible()
  await expect(properties(page)).toContainText('failing')
  const instances = page.getByRole('table', { name: 'Instances' })
  for (const { name } of affected)
    await expect(instances.getByText(name, { exact: true }).first()).toBeVisible()
  await properties(page).getByRole('link', { name: /^PRS/ }).click()
  await page.getByRole('link', { name: /^1ed5a606-/ }).click()
  await expect(
    page.getByRole('list', { name: /^Places of rack/ }).getByRole('link', { name: /1 disk failing/ }),
  ).toBeVisible()
})

test('an operator sees what still fits, and when the fleet is full', async ({ page, enter, api }) => {
  await enter('/system/utilization?tab=capacity', 'victor-hale')
  const { fits, racks } = await api.capacityView({})
  for (const { serial } of racks) await expect(row(page, serial)).toBeVisible()
  for (const { name, count } of fits) await expect(row(page, name)).toContainText(count.toLocaleString())
  await expect(page.getByRole('heading', { name: 'Days until full' })).toBeVisible()
  await expect(page.getByText(/^(There is no history yet|Not full in sight|Full in )/).first()).toBeVisible()
})
