/**
 * Every form that sends something shows exactly its request, and a command that sends the same. In projects, and in
 * silos and pools, request, command and document also leave the same behind.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { button, go, heading } from '../support/actions.ts'
import { expect, test } from '../support/world.ts'
import { openComparison, submit } from './compare.ts'
import { formRows, unreached } from './forms.ts'
import type { FormRow } from './rows.ts'
import { openResults, tokenOf } from './results.ts'
import { openRunner } from './runner.ts'
import { shownBy } from './shown.ts'

const sources = join(import.meta.dirname, '../../apps/console/src')

/** The sources of forms that have a request. */
async function formFiles(): Promise<string[]> {
  const files = await readdir(sources, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const { name, parentPath } of files) {
    if (!name.endsWith('.tsx') || name.endsWith('.test.tsx')) continue
    const text = await readFile(join(parentPath, name), 'utf8')
    const forms = text.split(/<(?:ModalForm|ResourceForm|FullPageForm)\s/).slice(1)
    const heads = forms.map((form) => form.slice(0, form.search(/\n *>\n|[^=]>\n/)))
    if (heads.some((head) => !/\srequest=\{null\}/.test(head)))
      found.push(relative(sources, join(parentPath, name)))
  }
  return found
}

test('every form that sends something has a row', async () => {
  const rows = new Set(formRows.flatMap(({ rows: of }) => of.map(({ file }) => file)))
  expect((await formFiles()).filter((file) => !rows.has(file) && !(file in unreached))).toEqual([])
})

async function openForm(page: Page, { path, open, fill }: FormRow, own: string): Promise<Locator> {
  await go(page, path)
  if (typeof open === 'string') await button(page, open).first().click()
  else await open?.(page)
  await expect(button(page, 'View as command').first()).toBeVisible()
  const isDialog = (await page.getByRole('dialog').count()) > 0
  const form = isDialog ? page.getByRole('dialog').last() : page.locator('main')
  await fill?.(form, page, own)
  return form
}

/** Leaves the form, which asks if it was filled. */
async function leave(page: Page): Promise<void> {
  await page.evaluate(() => window.history.pushState(null, '', '/settings/profile'))
  const question = page.getByRole('button', { name: /^Leave (form|page)$/ })
  await question.or(heading(page, 'Profile')).first().waitFor()
  if (await question.isVisible()) await question.click()
  await expect(heading(page, 'Profile')).toBeVisible()
}

// The silos and pools stay.
test.use({ siteOf: 'forms' })

for (const { as, rows, prepare } of formRows)
  test(`${as} sees the request of each form, and command and document do the same`, async ({
    page,
    enter,
    api,
    site,
    troubles,
  }) => {
    test.setTimeout(rows.length * 15_000)
    troubles.allow(/^400 /, /only recorded/)
    const runner = openRunner()
    const { compare, close } = await openComparison(runner)
    await enter('/settings/profile', as)
    const places = await prepare(api)
    const [first] = places.names
    const access = { api, runner, origin: site.origin, token: await tokenOf(page, api) }
    const results = openResults(access, places)
    page.setDefaultTimeout(10_000)
    const check = async (row: FormRow) => {
      const path = row.path.replace('PLACE', first)
      await row.mock?.(page)
      const form = await openForm(page, { ...row, path }, first)
      const shown = await shownBy(page, form)
      expect(shown.document !== undefined, 'has a document').toBe(row.plans === true)
      await compare(page, shown, row.isReviewed ? undefined : submit(form))
      await page.keyboard.press('Escape')
      await leave(page)
      if ((row.makes || path !== row.path) && !row.isAnother) await results.repeat(shown)
    }
    // All forms are checked, so that one run names all that differ.
    const problems: string[] = []
    for (const row of rows)
      try {
        await test.step(`${row.file} at ${row.path}`, () => check(row))
      } catch (error) {
        problems.push(`${row.file} at ${row.path}: ${String(error)}`)
        await page.unrouteAll({ behavior: 'ignoreErrors' })
        await page.goto('/settings/profile')
      }
    expect(problems.join('\n\n')).toBe('')
    await results.expectEqual()
    close()
    runner.close()
  })
