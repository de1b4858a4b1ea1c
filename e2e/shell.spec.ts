import { button, dialog, expectPath, go, heading, jumpTo, textbox } from './support/actions.ts'
import { expectState, makeInstance, openIn } from './support/prepare.ts'
import { expect, silo, test } from './support/world.ts'

test('sidebar, breadcrumbs and title show the current page', async ({ page, enter }) => {
  await enter('/projects')
  await expect(page).toHaveTitle('Projects / Purlin')
  await page.getByRole('link', { name: 'storefront', exact: true }).click()
  await expect(page).toHaveTitle('Instances / storefront / Projects / Purlin')
  const sidebar = page.getByRole('navigation', { name: 'Sidebar navigation' })
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link')
  await expect(sidebar.getByRole('link', { name: 'Instances' })).toHaveAttribute('aria-current', 'page')
  await expect(crumbs).toHaveText(['Projects', 'storefront', 'Instances'])
  await expect(sidebar.getByText('storefront', { exact: true })).toHaveCSS('text-transform', 'none')
  await sidebar.getByRole('link', { name: 'Disks' }).click()
  await expect(heading(page, 'Disks')).toBeVisible()
  await expect(crumbs).toHaveText(['Projects', 'storefront', 'Disks'])
  await expect(sidebar.getByRole('link', { name: 'Instances' })).not.toHaveAttribute('aria-current', 'page')
  await expect(sidebar.getByRole('link', { name: 'Disks' })).toHaveAttribute('aria-current', 'page')
  await expect(sidebar.locator('[aria-current]')).toHaveCount(1)
  await expect(crumbs.and(page.locator('[aria-current]'))).toHaveText('Disks')
  await crumbs.nth(1).click()
  await expectPath(page, '/projects/storefront/instances')
  await page.goBack()
  await expect(heading(page, 'Disks')).toBeVisible()
  await page.getByRole('link', { name: `Silo ${silo}` }).click()
  await expectPath(page, '/projects')
})

test('a form over a page is in the title but not in the breadcrumbs', async ({ page, enter }) => {
  await enter('/projects')
  await page.getByRole('link', { name: 'New project', exact: true }).click()
  await expect(page).toHaveTitle('New project / Projects / Purlin')
  await expect(
    page
      .getByRole('navigation', { name: 'Breadcrumbs', includeHidden: true })
      .getByRole('link', { includeHidden: true }),
  ).toHaveText(['Projects'])
})

test('the palette opens a form by keyboard, and its Enter does not submit the form', async ({
  page,
  enter,
}) => {
  await enter('/projects')
  await expect(heading(page, 'Projects')).toBeVisible()
  await jumpTo(page, 'New project')
  const create = dialog(page, 'Create project')
  await expect(textbox(create, 'Name')).toBeFocused()
  await expect(create.getByText('Name is required')).toBeHidden()
})

test('the palette navigates by name, by mouse and by arrow keys', async ({ page, enter }) => {
  await enter('/projects')
  await jumpTo(page, 'storefront')
  await expectPath(page, '/projects/storefront/instances')
  await button(page, /Jump to/).click()
  const palette = dialog(page, 'Quick actions')
  // Names of projects are among the titles of groups: they are as they were typed.
  const title = palette.getByText("Project 'storefront'", { exact: true })
  await expect(title).toHaveCSS('text-transform', 'none')
  await palette.getByRole('option', { name: 'Project Access' }).click()
  await expect(heading(page, 'Project Access')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  const options = palette.getByRole('option')
  await expect(options.first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(options.nth(1)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(options.last()).toHaveAttribute('aria-selected', 'true')
  await palette.getByRole('combobox', { name: 'Search' }).fill('qqqq')
  await expect(palette.getByText('Nothing matches “qqqq”')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(palette).toBeHidden()
})

test('the palette leads back to what was visited, from whichever of its tabs', async ({ page, enter }) => {
  await enter('/projects/batch-lab/instances')
  await page.getByRole('link', { name: 'worker-001', exact: true }).click()
  await page.getByRole('tab', { name: 'Networking' }).click()
  await expect(page.getByRole('heading', { name: 'Network interfaces' })).toBeVisible()
  const recent = dialog(page, 'Quick actions').getByRole('group', { name: 'Recent' }).getByRole('option')
  await page.keyboard.press('ControlOrMeta+k')
  await expect(dialog(page, 'Quick actions')).toBeVisible()
  await expect(recent).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page
    .getByRole('navigation', { name: 'Sidebar navigation' })
    .getByRole('link', { name: 'Disks' })
    .click()
  await expect(heading(page, 'Disks')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await recent.filter({ hasText: 'worker-001' }).click()
  await expectPath(page, '/projects/batch-lab/instances/worker-001/storage')
})

test('a starred page is kept over a reload, and found in the palette', async ({ page, own }) => {
  const project = await own('starred')
  await openIn(page, project, 'disks')
  // The page before has a star as well.
  await expect(heading(page, 'Disks')).toBeVisible()
  const star = button(page, 'Favourite')
  await star.click()
  await expect(star).toHaveAttribute('aria-pressed', 'true')
  await page.reload()
  await expect(heading(page, 'Disks')).toBeVisible()
  await expect(star).toHaveAttribute('aria-pressed', 'true')
  await expect(button(page, 'Remove Disks from favourites')).toBeVisible()
  await page
    .getByRole('navigation', { name: 'Sidebar navigation' })
    .getByRole('link', { name: 'Projects', exact: true })
    .click()
  await expect(heading(page, 'Projects')).toBeVisible()
  const favourites = dialog(page, 'Quick actions')
    .getByRole('group', { name: 'Favourites' })
    .getByRole('option')
  await page.keyboard.press('ControlOrMeta+k')
  await favourites.filter({ hasText: project }).click()
  await expectPath(page, `/projects/${project}/disks`)
  await expect(heading(page, 'Disks')).toBeVisible()
  await button(page, 'Remove Disks from favourites').press('Enter')
  await expect(star).toHaveAttribute('aria-pressed', 'false')
  await expect(button(page, 'Remove Disks from favourites')).toBeHidden()
})

test('the palette stars the page, and finds the pages of the settings', async ({ page, own }) => {
  const project = await own('starred')
  await openIn(page, project, 'disks')
  await expect(heading(page, 'Disks')).toBeVisible()
  const palette = dialog(page, 'Quick actions')
  const type = async (text: string) => {
    await page.keyboard.press('ControlOrMeta+k')
    await palette.getByRole('combobox').fill(text)
  }
  const star = button(page, 'Favourite')
  await type('favourite')
  await palette.getByRole('option', { name: 'Add this page to your favourites' }).click()
  await expect(star).toHaveAttribute('aria-pressed', 'true')
  await type('favourite')
  await palette.getByRole('option', { name: 'Remove this page from your favourites' }).click()
  await expect(star).toHaveAttribute('aria-pressed', 'false')
  await type('access tok')
  await palette.getByRole('option', { name: 'Access Tokens' }).click()
  await expectPath(page, '/settings/access-tokens')
})

test('the palette acts on a row of the list by its name, and says why it cannot', async ({
  page,
  api,
  own,
}) => {
  const project = await own('acts')
  await makeInstance(api, { project, name: 'web' })
  await openIn(page, project, 'instances')
  await expect(page.getByRole('link', { name: 'web', exact: true })).toBeVisible()
  const palette = dialog(page, 'Quick actions')
  const search = palette.getByRole('combobox', { name: 'Search' })
  await page.keyboard.press('ControlOrMeta+k')
  await search.fill('stop web')
  await expect(palette.getByRole('option', { name: 'Stop web' })).toHaveAttribute('aria-disabled', 'true')
  await search.fill('start web')
  await palette.getByRole('option', { name: 'Start web' }).click()
  await expectState(api, { project, name: 'web' }, 'running')
})

test('the palette opens while one types, and the same keys close it', async ({ page, enter }) => {
  await enter('/projects-new')
  await textbox(page, 'Name').fill('half-done')
  await page.keyboard.press('ControlOrMeta+k')
  await expect(dialog(page, 'Quick actions')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await expect(dialog(page, 'Quick actions')).toBeHidden()
  await expect(textbox(page, 'Name')).toHaveValue('half-done')
})

test('a keyboard reaches the content directly', async ({ page, enter }) => {
  await enter('/projects')
  await expect(heading(page, 'Projects')).toBeVisible()
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: 'Skip to content' })
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(page.locator('#content')).toBeFocused()
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('#content') !== null)).toBe(true)
})

test('in a narrow window the sidebar is a drawer that Escape and a choice close', async ({ page, enter }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await enter('/projects/storefront/disks')
  await expect(heading(page, 'Disks')).toBeVisible()
  const open = button(page, 'Open navigation')
  const disks = page
    .getByRole('navigation', { name: 'Sidebar navigation' })
    .getByRole('link', { name: 'Project Access' })
  await expect(disks).toBeHidden()
  await open.click()
  await expect(disks).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(disks).toBeHidden()
  await expect(open).toBeFocused()
  await open.click()
  await disks.click()
  await expect(heading(page, 'Project Access')).toBeVisible()
  await expect(disks).toBeHidden()
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
  expect(sideways, 'the page itself does not scroll sideways').toBe(false)
})

test('the pane returns to where it was scrolled to', async ({ page, enter }) => {
  await enter('/projects/batch-lab/instances')
  const pane = page.getByTestId('scroll-container')
  await expect(page.getByRole('row', { name: /worker-050/ })).toBeVisible()
  await pane.evaluate((box) => box.scrollTo(0, 600))
  await expect.poll(() => pane.evaluate((box) => box.scrollTop)).toBe(600)
  await page.waitForTimeout(200)
  await page
    .getByRole('navigation', { name: 'Sidebar navigation' })
    .getByRole('link', { name: 'Disks' })
    .click()
  await expect(heading(page, 'Disks')).toBeVisible()
  await expect.poll(() => pane.evaluate((box) => box.scrollTop)).toBe(0)
  await page.goBack()
  await expect(page.getByRole('row', { name: /worker-050/ })).toBeVisible()
  await expect.poll(() => pane.evaluate((box) => box.scrollTop)).toBe(600)
})

test('the guides of a page open on their button and close by a press elsewhere', async ({ page, enter }) => {
  await enter('/projects')
  await button(page, 'Learn about projects').click()
  const guides = dialog(page, 'Learn about projects')
  const link = guides.getByRole('link', { name: /Key Concepts/ })
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(link).toHaveAttribute('href', '/docs/glossary')
  await heading(page, 'Projects').click()
  await expect(guides).toBeHidden()
})

test('an address below the root leads to its first page', async ({ page, enter }) => {
  await enter('/')
  await expectPath(page, '/projects')
  await go(page, '/projects/storefront')
  await expectPath(page, '/projects/storefront/instances')
  await go(page, '/settings')
  await expectPath(page, '/settings/profile')
})
