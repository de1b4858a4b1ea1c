/** The rows of the table of forms, and what fills them in. */
import type { Locator, Page } from '@playwright/test'
import { textbox } from '../support/actions.ts'

export interface FormRow {
  /** The source of the form, below the folder of the console. */
  file: string
  path: string
  /** A button that opens it. */
  open?: string | ((page: Page) => Promise<unknown>)
  /** `own` is the name of the place of the forms. */
  fill?: (form: Locator, page: Page, own: string) => Promise<unknown>
  /** It leads to a review, which sends the request later. */
  isReviewed?: true
  /** Answers of the server that the form needs. */
  mock?: (page: Page) => Promise<unknown>
  /** It does what the form of a later row does, or nothing to the project. */
  isAnother?: true
  /** Documents know it. */
  plans?: true
  /** It makes something with the name of the place in its own name. */
  makes?: true
}

export const name = 'by-command'
export const named = (form: Locator) => textbox(form, 'Name').fill(name)
export const described = (form: Locator) => textbox(form, 'Description').fill(`the boss's $HOME & "more"`)
export const fields = (values: Record<string, string>) => async (form: Locator) => {
  for (const [label, value] of Object.entries(values)) await textbox(form, label).fill(value)
}

/** Answers a request with this JSON. */
export const answers = (path: string, json: object) => (page: Page) =>
  page.route(path, (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json }) : route.fallback(),
  )

export const create = 'resource/form/CreateForm.tsx'
export const edit = 'resource/form/EditForm.tsx'
