import {
  button,
  dialog,
  expectDisabled,
  expectToast,
  go,
  heading,
  pick,
  row,
  textbox,
} from './support/actions.ts'
import { openIn } from './support/prepare.ts'
import { expect, test } from './support/world.ts'

// Its prices are those of all users of a site.
test.use({ siteOf: 'usage' })

test('a person sees what projects used in a month, divides it by a tag, and downloads it', async ({
  page,
  enter,
}) => {
  await enter('/usage')
  await expect(heading(page, 'Usage')).toBeVisible()
  const byProject = page.getByRole('table', { name: 'Usage by project' })
  await expect(row(byProject, 'storefront')).toBeVisible()
  await expect(byProject.getByRole('columnheader', { name: 'Cost (EUR)' })).toBeVisible()
  await expect(page.getByRole('heading', { name: /^Cost each day/ })).toBeVisible()

  await pick(page, page, 'Choose a time', 'Last 90 days')
  await expect(page).toHaveURL(/period=quarter/)
  await pick(page, page, 'Divide by', 'By tag')
  await expect(page.getByText('Enter the key of a tag')).toBeVisible()
  await textbox(page, 'Tag key').fill('no key')
  await button(page, 'Show').click()
  await expect(page.getByText(/^A key begins with a letter or digit/)).toBeVisible()
  await textbox(page, 'Tag key').fill('env')
  await textbox(page, 'Tag key').press('Enter')
  const byTag = page.getByRole('table', { name: 'Usage by tag' })
  await expect(row(byTag, 'prod')).toBeVisible()
  await expect(row(byTag, 'Without this tag')).toBeVisible()
  await expect(page).toHaveURL(/by=tag&tag=env/)

  const downloaded = page.waitForEvent('download')
  await button(page, 'Download CSV').click()
  expect((await downloaded).suggestedFilename()).toMatch(/^usage-.*\.csv$/)
})

test('an operator chooses a silo in the report of the fleet, and sees it by project', async ({
  page,
  enter,
}) => {
  await enter('/system/usage', 'tariq-aziz')
  await expect(page.getByRole('table', { name: 'Usage by silo' })).toBeVisible()
  await pick(page, page, 'Choose a silo', 'engineering')
  await expect(page).toHaveURL(/silo=engineering/)
  const byProject = page.getByRole('table', { name: 'Usage by project' })
  await expect(row(byProject, 'storefront')).toBeVisible()
  await pick(page, page, 'Divide by', 'By day')
  await expect(page.getByRole('table', { name: 'Usage by day' })).toBeVisible()
  await pick(page, page, 'Choose a silo', 'All silos')
  await expect(page.getByRole('table', { name: 'Usage by silo' })).toBeVisible()
})

test('a changed quota is a mark in the charts of the whole fleet, which opens the change', async ({
  page,
  enter,
  api,
}) => {
  await enter('/system/usage', 'tariq-aziz')
  const params = { silo: 'research' }
  const { cpus } = await api.siloQuotasView({ params })
  await api.siloQuotasUpdate({ params, body: { cpus: Number(cpus) + 1 } })
  // The example data have changes of the same day.
  const mark = page.getByRole('link', { name: /^Changed the quotas of silo research |^\d+ changes from / })
  await page.reload()
  await mark.last().click()
  await expect(page).toHaveURL(/\/system\/audit-log\?/)
  await expect(
    page.getByRole('row').filter({ hasText: 'Changed the quotas from 32 to 33 vCPUs' }),
  ).toBeVisible()
})

test('a project without resources has used nothing', async ({ page, own }) => {
  const project = await own('unused')
  await openIn(page, project, 'usage')
  await expect(page.getByText('Nothing was used in this time.')).toBeVisible()
  await expectDisabled(button(page, 'Download CSV'), 'Nothing was used in this time')
})

test('a member of one project sees its usage, and not that of the silo', async ({ page, enter }) => {
  await enter('/usage', 'rosa-lima')
  await expect(page.getByText('No permission to see the usage of the silo')).toBeVisible()
  await go(page, '/projects/telemetry/usage')
  await expect(page.getByRole('table', { name: 'Usage by day' })).toBeVisible()
})

test('operators set prices, from which all reports compute costs', async ({ page, enter }) => {
  await enter('/system/usage', 'victor-hale')
  await expect(row(page.getByRole('table', { name: 'Usage by silo' }), 'engineering')).toBeVisible()
  await expectDisabled(button(page, 'Edit prices'), /admin role/)

  await enter('/system/usage', 'tariq-aziz')
  await page.getByRole('link', { name: 'Edit prices' }).click()
  const form = dialog(page, 'Edit prices')
  await textbox(form, 'vCPU hour').fill('0,5')
  await button(form, 'Update prices').click()
  await expect(form.getByText('a price is a decimal number such as 0.035')).toBeVisible()
  await textbox(form, 'vCPU hour').fill('0.5')
  await textbox(form, 'Currency').fill('CHF')
  await button(form, 'Update prices').click()
  await expectToast(page, 'Prices of the fleet updated')
  await expect(page.getByRole('columnheader', { name: 'Cost (CHF)' })).toBeVisible()
})
