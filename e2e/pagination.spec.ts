import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import {
  button,
  confirm,
  dialog,
  expectDisabled,
  expectEnabled,
  expectPath,
  fromRow,
  heading,
  jumpTo,
  menuItem,
  textbox,
} from './support/actions.ts'
import { makeDisk, openIn } from './support/prepare.ts'
import { expect, test } from './support/world.ts'

const rows = (page: Page) => page.getByRole('table', { name: 'Instances' }).locator('tbody tr')
const names = (page: Page) => rows(page).getByRole('rowheader').getByRole('link')
const list = '/projects/batch-lab/instances'

test('a long list is walked through page by page, and back', async ({ page, enter }) => {
  await enter(list)
  await expect(rows(page)).toHaveCount(50)
  await expectDisabled(button(page, 'prev'), 'This is the first page')
  await page.getByTestId('scroll-container').evaluate((box) => box.scrollTo(0, 800))
  await button(page, 'next').click()
  await expect(rows(page)).toHaveCount(14)
  await expect(names(page).last()).toHaveText('worker-064')
  await expectDisabled(button(page, 'next'), 'This is the last page')
  await expect.poll(() => page.getByTestId('scroll-container').evaluate((box) => box.scrollTop)).toBe(0)
  await button(page, 'prev').click()
  await expect(rows(page)).toHaveCount(50)
  await expect(names(page).first()).toHaveText('worker-001')
  await expectPath(page, list)
})

test('the number of rows and the columns are a choice and stay, as does the page, after a reload', async ({
  page,
  enter,
}) => {
  await enter(list)
  await page.getByRole('combobox', { name: 'rows per page' }).selectOption('25')
  await expect(rows(page)).toHaveCount(25)
  const memory = page.getByRole('columnheader', { name: 'Memory', exact: true })
  const choice = page.getByRole('menuitemcheckbox', { name: 'Memory', exact: true })
  await expect(memory).toBeVisible()
  await button(page, 'List options').click()
  await choice.press('Enter')
  await expect(choice).not.toBeChecked()
  await expect(memory).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(button(page, 'List options')).toBeFocused()
  await button(page, 'next').click()
  await expect(names(page).first()).toHaveText('worker-026')
  await page.reload()
  await expect(names(page).first()).toHaveText('worker-026')
  await expect(memory).toBeHidden()
  await button(page, 'List options').click()
  await menuItem(page, 'Saved views…').click()
  const views = dialog(page, 'Views of instances')
  await textbox(views, 'Save the present view as').fill('Without memory')
  await button(views, 'Save view').click()
  await expect(views.getByText('shown', { exact: true })).toBeVisible()
  await button(views, 'Close').click()
  await button(page, 'List options').click()
  await menuItem(page, 'Reset columns').click()
  await expect(memory).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'rows per page' })).toHaveValue('25')
  await expectEnabled(button(page, 'prev'))
  await button(page, 'next').click()
  await expect(rows(page)).toHaveCount(14)
  await page.getByRole('combobox', { name: 'rows per page' }).selectOption('100')
  await expect(rows(page)).toHaveCount(64)
  await expectDisabled(button(page, 'next'), 'This is the last page')

  // A view is of the person, for the instances of every project.
  await page.getByRole('link', { name: 'Projects', exact: true }).first().click()
  await page.getByRole('link', { name: 'telemetry', exact: true }).click()
  // Views lead to the project of the page.
  await expect(page).toHaveURL(/\/projects\/telemetry\//)
  await jumpTo(page, 'View: Without memory of Instances')
  await expectPath(page, '/projects/telemetry/instances?size=25')
  await expect(memory).toBeHidden()
  await button(page, 'List options').click()
  await menuItem(page, 'Reset columns').click()
  await button(page, 'List options').click()
  await menuItem(page, 'Saved views…').click()
  await button(views, 'Without memory').click()
  await expect(memory).toBeHidden()
  await button(page, 'List options').click()
  await menuItem(page, 'Saved views…').click()
  await button(views, 'Delete view Without memory').click()
  await expect(button(views, 'Without memory')).toBeHidden()
})

test('the palette leads to a row of another page', async ({ page, enter }) => {
  await enter(list)
  await expect(names(page).first()).toHaveText('worker-001')
  await jumpTo(page, 'worker-060')
  await expect(heading(page, 'worker-060')).toBeVisible()
})

test('prev leads to the page before, also after a reload', async ({ page, enter }) => {
  await enter(`${list}?size=25`)
  await button(page, 'next').click()
  await expect(names(page).first()).toHaveText('worker-026')
  await button(page, 'next').click()
  await expect(names(page).first()).toHaveText('worker-051')
  await page.reload()
  await expect(names(page).first()).toHaveText('worker-051')
  await button(page, 'prev').click()
  await expect(names(page).first()).toHaveText('worker-026')
})

test('the page before is shown once the last row of the last page is deleted', async ({ page, own, api }) => {
  const project = await own('ends')
  const all = Array.from({ length: 26 }, (_, i) => `disk-${String(i).padStart(2, '0')}`)
  await Promise.all(all.map((name) => makeDisk(api, project, name)))
  const disks = page.getByRole('table', { name: 'Disks' }).locator('tbody tr')
  await openIn(page, project, 'snapshots')
  await expect(page.getByText('No snapshots')).toBeVisible()
  await expect(page.getByTestId('faint-rows')).toContainText('disk')
  await openIn(page, project, 'disks?size=25')
  await expect(disks).toHaveCount(25)
  await button(page, 'next').click()
  await expect(disks).toHaveCount(1)
  await fromRow(page, 'disk-25', 'Delete')
  await confirm(page, 'Delete disk')
  await expect(disks).toHaveCount(25)
  // A list that is on one page has no bar to turn pages.
  await expect(page.getByRole('navigation', { name: 'Pagination' })).toBeHidden()
})

test('a list is sorted by its columns, both ways', async ({ page, enter }) => {
  await enter(list)
  const header = page.getByRole('columnheader', { name: 'name' })
  await expect(header).toHaveAttribute('aria-sort', 'ascending')
  await expect(names(page).first()).toHaveText('worker-001')
  await button(header, 'name').click()
  await expect(header).toHaveAttribute('aria-sort', 'descending')
  await expect(names(page).first()).toHaveText('worker-064')
  await expectPath(page, `${list}?sort=name_descending`)
  await button(page, 'next').click()
  await expect(names(page).last()).toHaveText('worker-001')
  await button(header, 'name').click()
  await expect(header).toHaveAttribute('aria-sort', 'ascending')
  await expectPath(page, list)
  const memory = page.getByRole('columnheader', { name: 'Memory' })
  await button(memory, 'Memory').click()
  await expectPath(page, `${list}?sort=memory_ascending`)
  await expect(memory).toHaveAttribute('aria-sort', 'ascending')
  await expect(header).not.toHaveAttribute('aria-sort')
  await expect(page.getByText('1–50 of 64')).toBeVisible()
  await button(page, 'next').click()
  await expect(page.getByText('51–64 of 64')).toBeVisible()
})

test('a row is found while one types, on whichever page it is', async ({ page, enter }) => {
  await enter(list)
  const box = page.getByRole('combobox', { name: 'Search instances' })
  const five = [0, 1, 2, 3, 4].map((n) => `worker-06${n}`)
  await expect(box).toBeVisible()
  // It listens a moment after it is seen.
  await expect(async () => {
    await page.keyboard.press('/')
    await expect(box).toBeFocused({ timeout: 500 })
  }).toPass()
  await box.pressSequentially('06', { delay: 40 })
  await expect(names(page)).toHaveText(five)
  await expect(page.getByText('1–5 of 5')).toBeVisible()
  await expectPath(page, `${list}?find=06`)
  await expect(box).toBeFocused()
  await expect(box).toHaveValue('06')
  await page.reload()
  await expect(names(page)).toHaveText(five)
  const header = page.getByRole('columnheader', { name: 'name' })
  await button(header, 'name').click()
  await expect(names(page)).toHaveText(five.toReversed())
  await button(page, 'List options').click()
  const downloaded = page.waitForEvent('download')
  await menuItem(page, 'As CSV').click()
  const [head, ...lines] = readFileSync(await (await downloaded).path(), 'utf8')
    .trimEnd()
    .split('\r\n')
  expect(head).toMatch(/^\uFEFFid,name,/)
  expect(lines.map((line) => line.split(',')[1])).toEqual(five.toReversed())
  await page.keyboard.press('?')
  await expect(dialog(page, 'Keys')).toContainText('Search the list')
  await page.keyboard.press('Escape')
  await expect(dialog(page, 'Keys')).toBeHidden()

  await box.fill('unmatched')
  await expect(page.getByText('Nothing in this list matches ‘unmatched’.')).toBeVisible()
  await button(page, 'Clear search').click()
  await expect(rows(page)).toHaveCount(50)
  await expect(box).toHaveValue('')
  await expect(box).toBeFocused()
})

test('keys move between rows, select them, and go to pages; they can be switched off', async ({
  page,
  enter,
}) => {
  await enter(list)
  const boxes = rows(page).getByRole('checkbox')
  await expect(rows(page)).toHaveCount(50)
  const row = (at: number) => names(page).nth(at)
  // It listens a moment after it is seen.
  await expect(async () => {
    await page.keyboard.press('k')
    await expect(row(0)).toBeFocused({ timeout: 500 })
  }).toPass()
  await page.keyboard.press('j')
  await expect(row(1)).toBeFocused()
  await page.keyboard.press('x')
  await expect(boxes.nth(1)).toBeChecked()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('Shift+X')
  await expect(boxes.nth(2)).toBeChecked()
  await expect(boxes.nth(3)).toBeChecked()
  await expect(boxes.nth(0)).not.toBeChecked()
  // A field has its letters for itself.
  const search = page.getByRole('combobox', { name: 'Search instances' })
  await page.keyboard.press('/')
  await search.pressSequentially('gdxj')
  await expect(search).toHaveValue('gdxj')
  await button(page, 'Clear search').click()
  await expect(rows(page)).toHaveCount(50)
  await button(page, 'List options').focus()
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await expect(heading(page, 'Disks')).toBeVisible()
  await page.keyboard.press('?')
  const keys = dialog(page, 'Keys')
  await expect(keys).toContainText('Floating IPs')
  // Behind a dialog no key acts.
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await expect(heading(page, 'Disks')).toBeAttached()
  await keys.getByRole('checkbox', { name: 'Keys without a modifier' }).uncheck()
  await expect(keys).not.toContainText('Floating IPs')
  await page.keyboard.press('Escape')
  await expect(keys).toBeHidden()
  await page.keyboard.press('?')
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await expect(keys).toBeHidden()
  await expectPath(page, '/projects/batch-lab/disks')
})

test('a list is filtered by state, and says how many there are', async ({ page, enter }) => {
  const telemetry = '/projects/telemetry/instances'
  await enter(`${telemetry}?filter=state:running`)
  const filter = (name: RegExp) => page.getByRole('group', { name: 'Filters' }).getByRole('button', { name })
  await expect(filter(/running/)).toHaveAttribute('aria-pressed', 'true')
  await expect(filter(/running/)).toHaveText('running2')
  await expect(page.getByText('1–2 of 2')).toBeVisible()
  await filter(/failed/).press('Enter')
  await expectPath(page, `${telemetry}?filter=state%3Arunning%2Cstate%3Afailed`)
  await expect(page.getByText('1–3 of 3')).toBeVisible()
  await page.reload()
  await expect(filter(/failed/)).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('combobox', { name: /^Search/ }).fill('unmatched')
  await expect(page.getByText('Nothing in this list matches ‘unmatched’.')).toBeVisible()
  await button(page, 'Clear search').click()
  await expect(rows(page)).toHaveCount(10)
})

test('a list is restricted by words, with one press', async ({ page, enter }) => {
  const telemetry = '/projects/telemetry/instances'
  await enter(`${telemetry}?filter=state:running`)
  const box = page.getByRole('combobox', { name: 'Search instances' })
  await expect(box).toHaveValue('state:running')
  await page.keyboard.press('/')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('-state:running')
  await expectPath(page, `${telemetry}?filter=-state%3Arunning`)
  await page.keyboard.type(' memory>1GiB created<7d')
  await expect(page).toHaveURL(/created%3A%3C7d/)
  await page.reload()
  await expect(box).toHaveValue('-state:running memory>1GiB created<7d')

  // The words are completed.
  await box.fill('sta')
  await box.press('ArrowDown')
  await expect(page.getByRole('option', { name: 'state:', exact: true })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await box.press('Enter')
  await expect(box).toHaveValue('state:')
  await page.getByRole('option', { name: 'state:running' }).click()
  await expect(box).toHaveValue('state:running ')
  await expect(page.getByText('1–2 of 2')).toBeVisible()

  // A wrong word is explained, and leaves the others alone.
  await box.pressSequentially('memry>1 ')
  await expect(box).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByText(/‘memry>1’: no column "memry": there are state/)).toBeVisible()
  await expect(page.getByText('1–2 of 2')).toBeVisible()
  await box.press('Escape')
  await expect(rows(page)).toHaveCount(10)
})

test('the palette leads to lists with the words', async ({ page, enter }) => {
  await enter('/projects/telemetry/instances')
  await expect(page.getByRole('button', { name: /^Jump to/ })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('memory>1GiB')
  await page.getByRole('option', { name: /Instances: memory>1GiB/ }).click()
  await expectPath(page, '/projects/telemetry/instances?filter=memory%3A%3E1GiB')
  await expect(page.getByRole('combobox', { name: 'Search instances' })).toHaveValue('memory>1GiB')
})

test('a list of a few rows is searched as well, an empty one is not', async ({ page, enter }) => {
  await enter('/projects/storefront/instances')
  await expect(page.getByRole('link', { name: 'shop-a', exact: true })).toBeVisible()
  await expect(page.getByRole('group', { name: 'Filters' })).toHaveCount(0)
  await page.keyboard.press('/')
  const search = page.getByRole('combobox', { name: 'Search instances' })
  await expect(search).toBeFocused()
  await page.keyboard.type('name:shop-a')
  await expect(page.locator('main tbody tr')).toHaveCount(1)
  await enter('/projects/storefront/floating-ips?find=no-such')
  await expect(page.getByRole('combobox', { name: 'Search floating IPs' })).toHaveValue('no-such')
})

test('rows of hardware and of alerts are found by words, and by columns where the list has them', async ({
  page,
  enter,
}) => {
  await enter('/system/issues', 'tariq-aziz')
  const rows = page.locator('main tbody tr')
  const search = page.getByRole('searchbox', { name: 'Search issues' })
  await expect(rows).not.toHaveCount(1)
  await search.fill('qsfp1')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('qsfp1')
  await enter('/system/alerts/active', 'tariq-aziz')
  await expect(rows).not.toHaveCount(1)
  await page.getByRole('searchbox', { name: 'Search active alerts' }).fill('qsfp1')
  await expect(rows).toHaveCount(1)
  await enter('/system/inventory/sleds', 'tariq-aziz')
  await rows.filter({ hasText: 'PRS26140017' }).getByRole('link').first().click()
  await page.getByRole('tab', { name: 'Disks' }).click()
  await expect(rows).not.toHaveCount(1)
  await page.getByRole('combobox', { name: 'Search disks' }).fill('AS8F314237DE')
  await expect(rows).toHaveCount(1)
})
