/** Compares the request that is shown with those that the screen and the command send. */
import type { Locator, Page } from '@playwright/test'
import { expect } from '../support/world.ts'
import { bodyOf, messageIn, openRecorder, refusal, type Sent } from './recorder.ts'
import type { Runner } from './runner.ts'
import type { ShownTexts } from './shown.ts'

/** A request with placeholders for what is no part of it as it is shown. */
const comparable = ({ method, url, body }: Sent, secrets: unknown): Sent => ({
  method,
  url: url.replace(/^https?:\/\/[^/]+/, ''),
  body: hiding(body ?? null, secrets),
})

/** Values that the other one hides. */
function hiding(value: unknown, other: unknown): unknown {
  if (other === 'SECRET') return 'SECRET'
  if (Array.isArray(value)) return value.map((one, i) => hiding(one, (other as unknown[] | undefined)?.[i]))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      hiding(one, (other as Record<string, unknown> | null)?.[key]),
    ]),
  )
}

/** Does something without effect, and returns the request that it sends. */
async function sentBy(page: Page, { method, url }: Sent, act: () => Promise<unknown>): Promise<Sent> {
  const { promise, resolve } = Promise.withResolvers<Sent>()
  const [path = ''] = url.split('?')
  await page.route(`**${path}*`, async (route, request) => {
    if (request.method() !== method) return route.fallback()
    resolve({ method, url: request.url(), body: bodyOf(request.postData() ?? '') })
    return route.fulfill({ status: 400, json: refusal })
  })
  await act()
  const sent = await promise
  await page.unrouteAll({ behavior: 'wait' })
  return sent
}

export interface Comparison {
  /** Fails unless the command sends the request that is shown, and `act` too. */
  compare: (page: Page, shown: ShownTexts, act?: () => Promise<unknown>) => Promise<void>
  close: () => void
}

export async function openComparison(runner: Runner): Promise<Comparison> {
  const recorder = await openRecorder()
  const env = { PURLIN_HOST: recorder.origin, PURLIN_TOKEN: 'none' }
  return {
    compare: async (page, { command, http }, act) => {
      const shown = messageIn(http)
      const same = (one: Sent) => comparable(one, shown.body)
      // It fails, because nothing is done.
      const { err } = await runner.run(command, env)
      const [sent] = recorder.taken()
      expect(sent && same(sent), `sent by the command; ${err}`).toEqual(same(shown))
      if (act) expect(same(await sentBy(page, shown, act)), 'sent by the screen').toEqual(same(shown))
    },
    close: recorder.close,
  }
}

/** Presses the last button that submits. */
export const submit = (form: Locator) => () => form.locator('button[type="submit"]').last().click()
