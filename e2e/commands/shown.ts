import type { Locator, Page } from '@playwright/test'
import { button, dialog, textbox } from '../support/actions.ts'
import { expect } from '../support/world.ts'

/** The texts that 'View as command' shows. */
export interface ShownTexts {
  command: string
  http: string
  /** None if documents do not know the request. */
  document: string | undefined
}

/** The texts of 'View as command' of a form or question that is open. */
export async function shownBy(page: Page, of: Locator): Promise<ShownTexts> {
  await button(of, 'View as command').click()
  return shownIn(page)
}

/** The texts of the dialog that is open, which is closed. */
export async function shownIn(page: Page): Promise<ShownTexts> {
  const shown = dialog(page, 'View as command')
  const command = await textbox(shown, 'Command line').inputValue()
  const http = await textbox(shown, 'HTTP request').inputValue()
  const box = textbox(shown, 'Document for purlin apply')
  const document = (await box.count()) > 0 ? await box.inputValue() : undefined
  await button(shown, 'Close').last().click()
  await expect(shown).toHaveCount(0)
  return { command, http, document }
}
