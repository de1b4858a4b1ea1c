import { button, confirm, dialog, expectToast, go, row } from '../support/actions.ts'
import { expect, test } from '../support/world.ts'

const list = '/system/inventory/sleds'

test('an operator takes a sled out under load and puts it back', async ({ page, enter, api }) => {
  await enter(list, 'tariq-aziz')
  const sleds = (await api.sledList({ query: {} })).items.filter(({ missingSince }) => !missingSince)
  // One with instances, all of which can be moved.
  const plans = await Promise.all(
    sleds.map(async ({ id, baseboard: { serial } }) => {
      const { items } = await api.sledMaintenancePlan({ params: { sledId: id }, query: {} })
      return { id, serial, names: items.every(({ to }) => to !== null) ? items.map(({ name }) => name) : [] }
    }),
  )
  const { id, serial, names } = plans.find((plan) => plan.names.length > 0) ?? {
    id: '',
    serial: '',
    names: [],
  }
  const params = { sledId: id }

  await go(page, `${list}/${id}/maintenance`)
  const plan = page.getByRole('table', { name: 'Plan' })
  for (const name of names) await expect(plan.getByText(name, { exact: true }).first()).toBeVisible()
  await button(page, 'Start maintenance').click()
  await button(dialog(page, 'Start maintenance'), 'Start').click()
  await expectToast(page, `Maintenance of sled ${serial} started`)
  await expect(page.getByRole('heading', { name: 'The sled is empty' })).toBeVisible()
  const moves = page.getByRole('table', { name: 'Instances' })
  for (const name of names)
    await expect(moves.getByRole('row').filter({ hasText: name }).first()).toContainText('done')
  expect((await api.sledInstanceList({ params, query: {} })).items).toEqual([])

  await go(page, list)
  await expect(row(page, serial)).toContainText('in maintenance')
  await row(page, serial).getByRole('link').click()
  await page.getByRole('link', { name: sleds[0]?.rackId ?? '' }).click()
  const place = page.getByRole('list', { name: /^Places of rack/ }).getByRole('link', { name: serial })
  await expect(place).toContainText('in maintenance')
  await place.press('Enter')
  await page.getByRole('tab', { name: 'Maintenance' }).click()
  await button(page, 'Give back').click()
  await confirm(page, 'Give sled back')
  await expectToast(page, `Sled ${serial} is back in service`)
  await expect(button(page, 'Start maintenance')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Last maintenance' })).toBeVisible()
  for (const name of names)
    await expect(moves.getByRole('row').filter({ hasText: name }).first()).toContainText(/moved to sled PRS/)
  expect(await api.sledView({ params })).toMatchObject({
    maintenance: null,
    policy: { provisionPolicy: 'provisionable' },
  })
})
