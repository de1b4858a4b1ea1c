/** Actions of a user, by the texts of the screen. */
import { expect, type Locator, type Page } from '@playwright/test'

let made = 0
/** A name that no other test uses. */
export const unique = (stem: string): string =>
  `${stem}-${Date.now().toString(36).slice(-5)}${(++made).toString(36)}`

/** Moves to a page without a reload, as a click on a link would. */
export const go = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => window.history.pushState(null, '', to), path)

/** The address shown, without the origin. */
export const expectPath = (page: Page, path: string): Promise<void> =>
  expect
    .poll(() => {
      const { pathname, search } = new URL(page.url())
      return pathname + search.replace(/[?&]latency=0$/, '')
    })
    .toBe(path)

export const heading = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('heading', { level: 1, name, exact: true })

export const button = (within: Page | Locator, name: string | RegExp): Locator =>
  within.getByRole('button', { name, exact: true })

// The mark next to the name of what is protected from deletion.
const mark = '( Protected from deletion)?'

/** The row whose name cell reads exactly so, whether it is protected or not. */
export const row = (within: Page | Locator, name: string | RegExp): Locator => {
  const page = 'page' in within ? within.page() : within
  const named = {
    name:
      typeof name === 'string'
        ? new RegExp(`^${name.replaceAll(/[^\w\s-]/g, String.raw`\$&`)}${mark}$`)
        : name,
  }
  const cell = page.getByRole('rowheader', named).or(page.getByRole('cell', named))
  return within.getByRole('row').filter({ has: cell })
}

/** The properties in the header of a page. */
export const properties = (page: Page): Locator =>
  page.getByRole('group', { name: 'Properties table' }).first()

/** Opens the menu of a row. */
export async function openRowMenu(within: Page | Locator, name: string | RegExp): Promise<void> {
  await button(row(within, name), 'Row actions').click()
}

export const menuItem = (page: Page, name: string): Locator =>
  page.getByRole('menuitem', { name, exact: true })

/** Chooses from the menu of a row. */
export async function fromRow(page: Page, name: string | RegExp, item: string): Promise<void> {
  await openRowMenu(page, name)
  await menuItem(page, item).click()
}

/** Expects that a control is disabled and shows the reason. */
export async function expectDisabled(control: Locator, reason: string | RegExp): Promise<void> {
  await expect(control).toHaveAttribute('aria-disabled', 'true')
  await expect(control).toHaveAccessibleDescription(reason)
}

export const expectEnabled = (control: Locator): Promise<void> =>
  expect(control).not.toHaveAttribute('aria-disabled', 'true')

export const textbox = (within: Page | Locator, name: string): Locator =>
  within.getByRole('textbox', { name, exact: true })

export const dialog = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('dialog', { name }).or(page.getByRole('alertdialog', { name }))

/** The button of a question that does it: it says the act. */
export const confirmButton = (question: Locator): Locator => question.locator('button[type=submit]')

/** Confirms a dialog; types the name if that is required. */
export async function confirm(page: Page, title: string | RegExp): Promise<void> {
  const question = dialog(page, title)
  await expect(question).toBeVisible()
  const typed = question.getByRole('textbox', { name: /^Type .* to confirm$/ })
  if (await typed.isVisible()) {
    const label = await typed.evaluate((box: HTMLInputElement) => box.labels?.[0]?.textContent ?? '')
    await typed.fill(/^Type (.*) to confirm/.exec(label)?.[1] ?? '')
  }
  await confirmButton(question).click()
}

/** A toast. */
export const expectToast = (page: Page, text: string | RegExp): Promise<void> =>
  expect(page.getByTestId('Toasts')).toContainText(text)

/** Takes back what the last toast says, by its button or by the keys of the page. */
export async function undo(page: Page, by: 'button' | 'keys' = 'button'): Promise<void> {
  const offered = page.getByTestId('Toasts').getByRole('button', { name: 'Undo' }).last()
  await expect(offered).toBeVisible()
  await (by === 'keys' ? page.keyboard.press('ControlOrMeta+z') : offered.click())
}

/** Opens the command palette and runs what its search finds first. */
export async function jumpTo(page: Page, words: string): Promise<void> {
  await expect(page.getByRole('button', { name: /^Jump to/ })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  const palette = dialog(page, 'Quick actions')
  await palette.getByRole('combobox', { name: 'Search' }).fill(words)
  await expect(palette.getByRole('option', { selected: true })).toContainText(words)
  await page.keyboard.press('Enter')
  await expect(palette).toBeHidden()
}

/** The lines of the list that is open. */
export const options = (page: Page): Locator => page.getByRole('listbox').getByRole('option')

/** Chooses from a list that opens at a button. */
export async function pick(
  page: Page,
  within: Page | Locator,
  label: string,
  option: string | RegExp,
): Promise<void> {
  await within.getByRole('button', { name: new RegExp(label) }).click()
  await options(page).filter({ hasText: option }).click()
}

/** Types into a box with a list and takes what is found. */
export async function find(page: Page, within: Page | Locator, label: string, option: string): Promise<void> {
  const box = within.getByRole('combobox', { name: label, exact: true })
  await box.click()
  await box.fill(option)
  // Until then the list of before is about to be replaced, and with it what is pressed.
  await expect(options(page).filter({ hasNotText: option })).toHaveCount(0)
  await options(page).filter({ hasText: option }).first().click()
}

/** Holds the answers to requests for this address back. Returns what lets them come. */
export async function holdBack(page: Page, url: RegExp): Promise<() => void> {
  const { promise: isLet, resolve: letGo } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await isLet
    await route.continue()
  })
  return letGo
}

/** The page gets no events, as with a server without streams: it polls. */
export const withoutEvents = (page: Page): Promise<unknown> =>
  page.route(/\/v1\/events/, (route) => route.fulfill({ status: 404, json: { message: 'not found' } }))
