/**
 * Every kind of widget by screen reader, keyboard and touch, by the patterns of the WAI-ARIA
 * authoring practices. Written by role and name alone, so that it holds for whatever implements them.
 */
import type { Locator, Page } from '@playwright/test'
import { button, dialog, expectToast, heading, menuItem, options, row, textbox } from './support/actions.ts'
import { expect, test } from './support/world.ts'

const disks = '/projects/telemetry/disks'
const rowActions = (page: Page) => button(row(page, 'spare'), 'Row actions')

/** A combobox keeps the focus and names the marked option. */
const marked = (page: Page, box: Locator) =>
  box.evaluate((input) => {
    const id = input.getAttribute('aria-activedescendant')
    return id === null ? '' : (document.getElementById(id)?.textContent ?? 'an option that is not there')
  })

async function expectMarked(page: Page, box: Locator, option: string) {
  await expect(box).toBeFocused()
  await expect.poll(() => marked(page, box)).toContain(option)
}

test.describe('by keyboard and screen reader', () => {
  test('a menu button opens its menu, which is used and closed with keys', async ({ page, enter }) => {
    await enter(disks)
    const opener = rowActions(page)
    await expect(opener).toHaveAttribute('aria-haspopup', /menu|true/)
    await opener.focus()
    await page.keyboard.press('Enter')
    const menu = page.getByRole('menu', { name: 'Row actions' })
    await expect(menu.getByRole('menuitem')).toHaveText([
      'Copy ID',
      'Snapshot',
      'Roll back',
      'Enlarge',
      'Attach',
      'Edit',
      'Clone',
      'Who can delete this disk?',
      'Protect',
      'View as command',
      'Change tags',
      'Delete',
    ])
    await expect(menuItem(page, 'Copy ID')).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(menuItem(page, 'Snapshot')).toBeFocused()
    await page.keyboard.press('End')
    await expect(menuItem(page, 'Delete')).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(menuItem(page, 'Copy ID')).toBeFocused()
    await page.keyboard.press('s')
    await expect(menuItem(page, 'Snapshot')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toBeHidden()
    await expect(opener).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await expect(menuItem(page, 'Delete')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog(page, 'Delete disk')).toBeVisible()
  })

  test('a disabled entry can be focused and gives the reason', async ({ page, enter }) => {
    await enter(disks)
    await button(row(page, 'collector-01-boot'), 'Row actions').focus()
    await page.keyboard.press('Enter')
    await expect(menuItem(page, 'Copy ID')).toBeFocused()
    await page.keyboard.press('r')
    await expect(menuItem(page, 'Roll back')).toBeFocused()
    await expect(page.getByRole('menu')).toMatchAriaSnapshot(`
      - menuitem "Roll back" [disabled]
    `)
    await expect(menuItem(page, 'Roll back')).toHaveAccessibleDescription(/.+/)
    await page.keyboard.press('Enter')
    await expect(menuItem(page, 'Roll back')).toBeVisible()
  })

  test('choices in a menu are radios in named groups', async ({ page, enter }) => {
    await enter('/projects')
    await button(page, 'User menu: hanna-okafor').focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menu')).toMatchAriaSnapshot(`
      - 'menu "User menu: hanna-okafor"':
        - group "Theme":
          - menuitemradio "Light"
          - menuitemradio "Dark"
          - menuitemradio "System" [checked]
        - group "Times":
          - menuitemradio "Local time" [checked]
          - menuitemradio "UTC"
        - group "Tables":
          - menuitemradio "Comfortable" [checked]
          - menuitemradio "Compact"
    `)
  })

  test('a combobox narrows while one types, and arrow keys choose', async ({ page, enter }) => {
    await enter('/projects/telemetry/instances-new')
    const box = page.getByRole('combobox', { name: 'Image', exact: true })
    await expect(box).toHaveAttribute('aria-expanded', 'false')
    await expect(box).toHaveAttribute('aria-autocomplete', 'list')
    await box.focus()
    await page.keyboard.press('ArrowDown')
    await expect(box).toHaveAttribute('aria-expanded', 'true')
    await expect(page.getByRole('listbox')).toMatchAriaSnapshot(`
      - listbox "Image":
        - option /^alpine-3-22/
        - option /^debian-13/
        - option /^rocky-10/
        - option /^ubuntu-24-04/
    `)
    // Other journeys promote other images, whose names end in random letters and digits.
    const option = (name: string) => options(page).filter({ hasText: name })
    await page.keyboard.type('n')
    await expect(option('rocky-10')).toHaveCount(0)
    await expect(option('alpine-3-22')).toHaveCount(1)
    await expect(option('debian-13')).toHaveCount(1)
    await expect(option('ubuntu-24-04')).toHaveCount(1)
    await page.keyboard.type('-13')
    await expect(options(page)).toHaveCount(1)
    await page.keyboard.press('ArrowDown')
    await expectMarked(page, box, 'debian-13')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('listbox')).toBeHidden()
    await expect(box).toHaveValue('debian-13')
    await expect(box).toBeFocused()
    await page.keyboard.press('Alt+ArrowDown')
    await expect(page.getByRole('option', { name: /^debian-13/ })).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('listbox')).toBeHidden()
    await expect(box).toHaveValue('debian-13')
  })

  test('a listbox opens at its choice, and a letter goes to the option', async ({ page, enter }) => {
    await enter('/projects/telemetry/instances/collector-01/metrics/cpu')
    const opener = page.getByRole('button', { name: /Choose a time range preset/ })
    await expect(opener).toHaveAttribute('aria-haspopup', 'listbox')
    await opener.focus()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('listbox')).toMatchAriaSnapshot(`
      - listbox:
        - option "Last hour" [selected]
        - option "Last 3 hours"
        - option "Custom"
    `)
    await expect(page.getByRole('option', { name: 'Last hour' })).toBeFocused()
    await page.keyboard.press('c')
    await expect(page.getByRole('option', { name: 'Custom' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(opener).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('listbox')).toBeHidden()
    await expect(opener).toContainText('Last 3 hours')
    await expect(opener).toBeFocused()
  })

  test('a number is typed, stepped with the arrow keys and clamped to its bounds', async ({
    page,
    enter,
  }) => {
    await enter(`${disks}-new`)
    const form = dialog(page, 'Create disk')
    const size = textbox(form, 'Size (GiB)')
    await expect(size).toHaveValue('10')
    await size.focus()
    await page.keyboard.press('ArrowUp')
    await expect(size).toHaveValue('11')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect(size).toHaveValue('9')
    await size.fill('5000')
    await page.keyboard.press('Tab')
    await expect(size).toHaveValue('1023')
    await expect(size).not.toBeFocused()
    await button(form, /^Decrease Size/).click()
    await expect(size).toHaveValue('1022')
  })

  test('a number is read as the page writes it, and the form refuses text that is no number', async ({
    page,
    enter,
  }) => {
    await enter(`${disks}-new`)
    const form = dialog(page, 'Create disk')
    const size = textbox(form, 'Size (GiB)')
    await size.fill('1,000 ')
    await page.keyboard.press('Tab')
    await expect(size).toHaveValue('1000')
    await size.fill('2 GiB')
    await expect(size).toHaveValue('1000')
    await expect(form.getByText('“2 GiB” is not a whole number. Write it like 1,234.')).toBeVisible()
    await textbox(form, 'Name').fill('unread-number')
    await size.fill('1,5')
    await page.keyboard.press('Enter')
    await expect(form.getByText('“1,5” is not a whole number. Write it like 1,234.')).toBeVisible()
    await expect(size).toHaveValue('1,5')
    await expect(size).toBeFocused()
  })

  test('a range of time is a dialog with two named fields, and Escape gives the focus back', async ({
    page,
    enter,
  }) => {
    await enter('/projects/telemetry/instances/collector-01/metrics/cpu')
    const opener = page.getByRole('button', { name: / – / })
    await opener.focus()
    await expect(opener).toHaveAttribute('aria-expanded', 'false')
    await page.keyboard.press('Enter')
    await expect(opener).toHaveAttribute('aria-expanded', 'true')
    const range = dialog(page, 'Time range')
    await expect(range.getByLabel('Start time').first()).toBeVisible()
    await expect(range.getByLabel('End time').first()).toBeVisible()
    await range.getByLabel('Start time').first().focus()
    await page.keyboard.press('Escape')
    await expect(range).toBeHidden()
    await expect(opener).toBeFocused()
  })

  test('tabs are walked with arrow keys round the end, and name their panel', async ({ page, enter }) => {
    await enter('/projects/telemetry/instances/collector-01/storage')
    const tab = (name: string) => page.getByRole('tab', { name, exact: true })
    await expect(page.getByRole('main')).toMatchAriaSnapshot(`
      - tablist:
        - tab "Storage" [selected]
        - tab "Snapshots"
        - tab "Networking"
        - tab "Metrics"
        - tab "Connect"
        - tab "Settings"
        - tab "Activity"
      - tabpanel "Storage"
    `)
    await tab('Storage').focus()
    await page.keyboard.press('ArrowRight')
    await expect(tab('Snapshots')).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await expect(tab('Networking')).toBeFocused()
    await expect(tab('Networking')).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByRole('tabpanel', { name: 'Networking' })).toBeVisible()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await expect(tab('Activity')).toBeFocused()
    await expect(page.getByRole('tabpanel', { name: 'Activity' })).toBeVisible()
  })

  test('a tooltip describes its control, opens with the focus and closes with Escape', async ({
    page,
    enter,
  }) => {
    await enter(disks)
    const tip = button(page, 'Tip').first()
    await page.getByRole('checkbox', { name: 'Select all rows' }).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(tip).toBeFocused()
    await expect(page.getByRole('tooltip')).toBeVisible()
    await expect(tip).toHaveAccessibleDescription((await page.getByRole('tooltip').textContent()) ?? '?')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('tooltip')).toBeHidden()
    await expect(tip).toBeFocused()
  })

  test('a toast is announced in a separate region and dismissed with the keyboard', async ({
    page,
    enter,
  }) => {
    await enter(`${disks}-new`)
    const form = dialog(page, 'Create disk')
    await textbox(form, 'Name').fill('announced')
    await page.keyboard.press('Enter')
    await expectToast(page, 'Disk announced created')
    const notices = page.getByRole('region', { name: /Notifications?/ })
    await expect(notices).toContainText('Disk announced created')
    const dismiss = notices.getByRole('button', { name: /Dismiss/ })
    await dismiss.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Disk announced created')).toBeHidden()
  })

  test('the palette is a dialog whose search box names the marked action', async ({ page, enter }) => {
    await enter('/projects')
    await expect(heading(page, 'Projects')).toBeVisible()
    await page.keyboard.press('ControlOrMeta+k')
    const palette = dialog(page, 'Quick actions')
    const search = palette.getByRole('combobox', { name: 'Search' })
    await expect(palette).toMatchAriaSnapshot(`
      - dialog "Quick actions":
        - combobox "Search" [expanded]
        - listbox:
          - group "Actions":
            - option "New project" [selected]
          - group "Go to project":
            - option "storefront"
    `)
    await search.fill('storefront')
    await expectMarked(page, search, 'storefront')
    await search.fill('')
    await page.keyboard.press('ArrowDown')
    const second = (await palette.getByRole('option').nth(1).textContent()) ?? '?'
    await expectMarked(page, search, second)
    await page.keyboard.press('Escape')
    await expect(palette).toBeHidden()
  })

  test('a dialog traps the focus, hides the page and restores the focus', async ({ page, enter }) => {
    await enter(disks)
    const opener = rowActions(page)
    await opener.focus()
    await page.keyboard.press('Enter')
    await expect(menuItem(page, 'Copy ID')).toBeFocused()
    await page.keyboard.press('End')
    await expect(menuItem(page, 'Delete')).toBeFocused()
    await page.keyboard.press('Enter')
    const question = dialog(page, 'Delete disk')
    await expect(question).toHaveAttribute('role', 'alertdialog')
    await expect(question.getByRole('heading', { name: 'Delete disk' })).toBeVisible()
    const isOutOfReach = (box: Element) => box.closest('[inert], [aria-hidden="true"]') !== null
    expect(await page.locator('main').evaluate(isOutOfReach)).toBe(true)
    for (let i = 0; i < 6; i++) {
      await page.keyboard.press('Tab')
      expect(await question.evaluate((box) => box.contains(document.activeElement))).toBe(true)
    }
    await page.keyboard.press('Escape')
    await expect(question).toBeHidden()
    await expect(opener).toBeFocused()
  })

  test('a bar of tabs does not scroll up or down', async ({ page, enter }) => {
    await enter('/projects/storefront/instances/shop-a/storage')
    for (const bar of await page.getByRole('tablist').all())
      expect(await bar.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0)
    await expect(page.getByRole('tablist').first()).toBeVisible()
  })

  test('a side form focuses its first field', async ({ page, enter }) => {
    await enter(disks)
    await page.getByRole('link', { name: 'New disk' }).focus()
    await page.keyboard.press('Enter')
    const form = dialog(page, 'Create disk')
    await expect(form).toMatchAriaSnapshot(`
      - dialog "Create disk":
        - textbox "Name"
        - textbox "Description"
        - radiogroup "Source":
          - radio /^Blank/ [checked]
          - radio /^Snapshot/
          - radio /^Image/
        - textbox "Size (GiB)"
    `)
    await expect(textbox(form, 'Name')).toBeFocused()
    await form.getByRole('radio', { name: /^Blank/ }).focus()
    await page.keyboard.press('ArrowDown')
    await expect(form.getByRole('radio', { name: /^Snapshot/ })).toBeChecked()
    await expect(button(form, /Source snapshot/)).toBeVisible()
  })
})

test.describe('by touch', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 412, height: 915 } })

  test('a menu opens at a tap, and a tap outside closes it', async ({ page, enter }) => {
    await enter(disks)
    await rowActions(page).tap()
    await expect(menuItem(page, 'Copy ID')).toBeVisible()
    await page.touchscreen.tap(200, 890)
    await expect(page.getByRole('menu')).toBeHidden()
    await rowActions(page).tap()
    await menuItem(page, 'Delete').tap()
    const question = dialog(page, 'Delete disk')
    await expect(question).toBeVisible()
    await button(question, 'Cancel').tap()
    await expect(question).toBeHidden()
  })

  test('options of a combobox and of a listbox are taken with a tap', async ({ page, enter }) => {
    await enter('/projects/telemetry/instances-new')
    const box = page.getByRole('combobox', { name: 'Image', exact: true })
    await box.tap()
    await options(page).filter({ hasText: 'rocky-10' }).tap()
    await expect(box).toHaveValue('rocky-10')
    await expect(page.getByRole('listbox')).toBeHidden()
    await page.goto(`${disks}-new`)
    const form = dialog(page, 'Create disk')
    await form.getByRole('radio', { name: /^Image/ }).tap()
    await button(form, /Source image/).tap()
    await options(page).filter({ hasText: 'debian-13' }).tap()
    await expect(form.getByRole('combobox', { name: 'Source image' })).toHaveValue('debian-13')
  })

  test('the steps of a number, tabs and the choice of a time range answer to taps', async ({
    page,
    enter,
  }) => {
    await enter(`${disks}-new`)
    const form = dialog(page, 'Create disk')
    await button(form, /^Increase Size/).tap()
    await expect(textbox(form, 'Size (GiB)')).toHaveValue('11')
    await page.goto('/projects/telemetry/instances/collector-01/storage')
    await page.getByRole('tab', { name: 'Metrics', exact: true }).tap()
    await expect(page.getByRole('tab', { name: 'Metrics', exact: true })).toHaveAttribute(
      'aria-selected',
      'true',
    )
    await page.getByRole('button', { name: /Choose a time range preset/ }).tap()
    await options(page).filter({ hasText: 'Last 3 hours' }).tap()
    await expect(page.getByRole('button', { name: /Choose a time range preset/ })).toContainText(
      'Last 3 hours',
    )
  })
})
