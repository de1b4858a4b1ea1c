/** The rows of the table of forms, and what fills them in. */
import type { Locator, Page } from '@playwright/test'
import { textbox } from '../support/actions.ts'

export interface FormRow {
  /** The source of the form, below the folder of the console. */
  file: string
  path: string
  /** A button that opens it. */
  open?: string | ((page: Page) => Promise<unknown>)
  fill?: (form: Locator, page: Page) => Promise<unknown>
  /** It leads to a review, which sends the request later. */
  isReviewed?: true
  /** Documents know it. */
  plans?: true
}

export const name = 'by-command'
export const named = (form: Locator) => textbox(form, 'Name').fill(name)
export const described = (form: Locator) => textbox(form, 'Description').fill(`the boss's $HOME & "more"`)
export const fields = (values: Record<string, string>) => async (form: Locator) => {
  for (const [label, value] of Object.entries(values)) await textbox(form, label).fill(value)
}

export const create = 'resource/form/CreateForm.tsx'
export const edit = 'resource/form/EditForm.tsx'
