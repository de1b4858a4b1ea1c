/** The fixtures of all journeys: a site, a signed-in user, and an API client for preparation. */
import { expect, test as base, type BrowserContext, type ConsoleMessage, type Page } from '@playwright/test'
import { createClient, type Client } from '@purlin/contract/client'
import type { Transport } from '@purlin/contract/http'
import { operations, type Operations } from '@purlin/contract/operations'
import { makeProject } from './prepare.ts'
import { emptyWorld, startCluster, startPreview, startServer, withQemu, type Site } from './site.ts'

export { expect }

/** The target of the journeys. */
export type Kind = 'server' | 'preview'
/** The options of a Playwright project. */
export interface Chosen {
  kind: Kind
  /** How many servers a site has; several are behind a proxy. */
  servers: 1 | 2
}

/** People of the demo world, each with one kind of role. All but lena are of the silo 'engineering'. */
export type Person =
  /** silo admin, of two groups */
  | 'hanna-okafor'
  /** silo viewer */
  | 'mei-tanaka'
  /** silo collaborator */
  | 'joel-lindqvist'
  /** project roles on 'telemetry': admin, collaborator, viewer */
  | 'omar-haddad'
  | 'piotr-nowak'
  | 'rosa-lima'
  /** no role at all */
  | 'sofia-reyes'
  /** fleet roles: admin, collaborator, viewer */
  | 'tariq-aziz'
  | 'uma-krishnan'
  | 'victor-hale'
  /** admin of the silo 'research' */
  | 'lena-vogt'
const password = 'drafting-table'
export const silo = 'engineering'
const siloOf = (person: Person) => (person === 'lena-vogt' ? 'research' : silo)

/** A site with an administrator of the fleet, tariq-aziz, and nothing else. */
export const emptySite = 'an empty installation'
/** The same, and its machines run with QEMU. */
export const realMachines = 'real machines'

interface PerWorker extends Chosen {
  /** The tests of a file that names something here have a site that no other file uses. */
  siteOf: string
  site: Site
  /** Session cookies of the worker's server, one for each person. */
  sessions: Map<Person, string>
}
interface PerTest {
  /** Opens the first page. Later navigation stays in the page, because a reload resets the preview. */
  enter: (path: string, as?: Person) => Promise<void>
  /** Signs in and creates a project for this test. Returns its name. */
  own: (stem: string) => Promise<string>
  /** The API, called from within the page as the signed-in user. */
  api: Client<Operations>
  /** Errors in the page. A test fails at its end if there were errors that it has not allowed. */
  troubles: Troubles
}

export interface Troubles {
  /** Allows errors that match. */
  allow: (...patterns: RegExp[]) => void
}

export const test = base.extend<PerTest, PerWorker>({
  kind: ['server', { option: true, scope: 'worker' }],
  servers: [1, { option: true, scope: 'worker' }],
  siteOf: ['all', { option: true, scope: 'worker' }],
  site: [
    async ({ kind, servers, siteOf }, use) => {
      const settings = settingsOf(siteOf)
      const start = servers === 2 ? startCluster : (all?: string[]) => startServer([], all)
      const site = await (kind === 'server' ? start(settings) : startPreview())
      await use(site)
      await site.stop()
    },
    { scope: 'worker' },
  ],
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from its pattern
  sessions: [async ({}, use) => use(new Map()), { scope: 'worker' }],
  baseURL: ({ site }, use) => use(site.origin),
  troubles: [
    async ({ page }, use) => {
      const seen: string[] = []
      const allowed: RegExp[] = []
      page.on('pageerror', (error) => seen.push(error.stack ?? error.message))
      page.on('console', (message) => isTrouble(message) && seen.push(message.text()))
      await use({ allow: (...patterns) => void allowed.push(...patterns) })
      const left = seen.filter((one) => !allowed.some((pattern) => pattern.test(one)))
      expect(left, 'errors in the page').toEqual([])
    },
    { auto: true },
  ],
  enter: ({ page, context, kind, site, sessions }, use) =>
    use(async (path, as = 'hanna-okafor') => {
      if (kind === 'preview') await openPreview(page, path, as)
      else {
        const known = sessions.get(as) ?? (await newSession(site.origin, as))
        sessions.set(as, known)
        // A page that loads by itself would do so with the session of the next person.
        await page.goto('about:blank')
        await carry(context, site, known)
        await page.goto(path)
      }
      // Every screen has a heading; until then the preview is still starting.
      await expect(page.locator('h1').first()).toBeVisible()
    }),
  own: ({ enter, api }, use) =>
    use(async (stem) => {
      await enter('/projects')
      return makeProject(api, stem)
    }),
  api: ({ page }, use) => use(createClient(operations, inPage(page))),
})

/** Those of the demo world are the server's own. */
function settingsOf(siteOf: string): string[] | undefined {
  const empty = emptyWorld({ silo, user: 'tariq-aziz', password })
  if (siteOf === realMachines) return [...empty, ...withQemu]
  return siteOf === emptySite ? empty : undefined
}

// The console logs failed calls itself, with more detail than the browser.
const isTrouble = (message: ConsoleMessage) =>
  message.type() === 'error' &&
  !(message.text().startsWith('Failed to load resource') && /\/(v1|login)\//.test(message.location().url))

async function openPreview(page: Page, path: string, as: Person): Promise<void> {
  const swift = (to: string) => `${to}${to.includes('?') ? '&' : '?'}latency=0`
  // The preview opens signed in as the first person of the demo world.
  if (as === 'hanna-okafor') return void (await page.goto(swift(path)))
  await page.goto(swift(`/login/${siloOf(as)}/local?redirect_uri=${encodeURIComponent(path)}`))
  await fillSignIn(page, as)
}

/** Fills the sign-in form and sends it. */
export async function fillSignIn(page: Page, username: string, secret = password): Promise<void> {
  await page.getByRole('textbox', { name: 'Username' }).fill(username)
  await page.getByRole('textbox', { name: 'Password' }).fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Signs in from within an open sign-in page, which keeps its place. Works with a server and with the preview. */
export const signInWithin = (page: Page, person: Person): Promise<unknown> =>
  createClient(operations, inPage(page)).loginLocal({
    params: { siloName: siloOf(person) },
    body: { username: person, password },
  })

/** A separate session on a server: the value of its cookie. */
export async function newSession(origin: string, person: Person): Promise<string> {
  const response = await fetch(`${origin}/v1/login/${siloOf(person)}/local`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: person, password }),
  })
  const cookie = /session=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1]
  if (cookie === undefined) throw new Error(`${person} could not sign in: ${response.status}`)
  return cookie
}

/** Makes a browser carry a session. */
export const carry = (context: BrowserContext, site: Site, session: string): Promise<void> =>
  context.addCookies([{ name: 'session', value: session, url: site.origin, httpOnly: true, sameSite: 'Lax' }])

/** Calls from within the page work with a server and with the preview. */
const inPage =
  (page: Page): Transport =>
  async ({ method, url, headers, body }) => {
    return page.evaluate(
      async ({ url, ...init }) => {
        const response = await fetch(url, init)
        return {
          status: response.status,
          headers: Object.fromEntries(response.headers),
          body: await response.text(),
        }
      },
      { method, url, headers, ...(body === undefined ? {} : { body }) },
    )
  }
