/** Every address of the specification, as every role, on the server and on the preview. */
import { readFileSync, writeFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import type { Client } from '@purlin/contract/client'
import type { Operations } from '@purlin/contract/operations'
import { expectPath, go } from '../support/actions.ts'
import { expect, type Kind, type Person, signInWithin, silo, test } from '../support/world.ts'
import { areas, notFound } from './addresses.ts'
import { heading, lineOf, roleNames, withoutDocument } from './golden.ts'
import { type Visit, visitAll } from './visit.ts'

const goldenFile = new URL('addresses.golden.md', import.meta.url)
const people: Record<string, Person> = {
  'no role': 'sofia-reyes',
  'P-viewer': 'rosa-lima',
  'P-coll': 'piotr-nowak',
  'P-admin': 'omar-haddad',
  'S-viewer': 'mei-tanaka',
  'S-coll': 'joel-lindqvist',
  'S-admin': 'hanna-okafor',
  'F-viewer': 'victor-hale',
  'F-coll': 'uma-krishnan',
  'F-admin': 'tariq-aziz',
}

const ownKey = {
  name: 'mine',
  description: '',
  publicKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g walk',
}

/** Opens the sign-in page, where no session is needed. */
async function openSignIn(page: Page): Promise<void> {
  await page.context().clearCookies()
  await page.goto(`/login/${silo}/local?latency=0`)
  await expect(page.locator('h1')).toBeVisible()
}

/**
 * Adds what the addresses name and the demo has not, and leaves every person with one role: a group brings two more.
 * Returns the id of the instance.
 */
async function prepare(api: Client<Operations>): Promise<string> {
  const project = 'telemetry'
  const query = { project, vpc: 'default' }
  await api.vpcRouterCreate({ query, body: { name: 'inner', description: '' } })
  await api.vpcRouterRouteCreate({
    query: { ...query, router: 'inner' },
    body: {
      name: 'stay',
      description: '',
      destination: { type: 'ip_net', value: '10.9.0.0/16' },
      target: { type: 'drop' },
    },
  })
  const params = { project }
  const [ofSilo, ofProject] = [await api.policyView({}), await api.projectPolicyView({ params })]
  await api.policyUpdate({ body: withoutGroups(ofSilo) })
  await api.projectPolicyUpdate({ params, body: withoutGroups(ofProject) })
  return (await api.instanceView({ params: { instance: 'collector-01' }, query: { project } })).id
}

const withoutGroups = <A extends { identityType: string }>({
  roleAssignments,
}: {
  roleAssignments: A[]
}) => ({
  roleAssignments: roleAssignments.filter(({ identityType }) => identityType === 'silo_user'),
})

/** A line of the table: an address, and what each role gets there. */
const createRows = () =>
  areas.flatMap(({ addresses, ...area }) =>
    addresses.map((address) => ({
      ...area,
      address,
      documents: new Map<string, string>(),
      visits: new Map<string, Visit>(),
    })),
  )
type Row = Pick<ReturnType<typeof createRows>[number], 'address' | 'parameters'>

const pathOf = ({ address, parameters }: Row): string =>
  address.replaceAll(/\{(\w+)\}/g, (name, key: string) => parameters?.[key] ?? name)

/** The address with a last parameter that names nothing; none if it has no parameter. Any silo has a sign-in page. */
function missingPathOf(row: Row): string[] {
  const last = /.*\{(\w+)\}/.exec(row.address)?.[1]
  if (last === undefined || isSignIn(row)) return []
  return [pathOf({ ...row, parameters: { ...row.parameters, [last]: 'no-such-thing' } })]
}

const isSignIn = ({ address }: Row) => address.startsWith('/login')

/** How the server answers a browser that opens a path. */
async function documentAt(url: URL, cookie: string): Promise<string> {
  const response = await fetch(url, { headers: { cookie, accept: 'text/html' }, redirect: 'manual' })
  await response.arrayBuffer()
  const to = response.headers.get('location')
  if (to === null) return String(response.status)
  const isToSignIn = to === `/login/${silo}/local?redirect_uri=${encodeURIComponent(url.pathname)}`
  return `${response.status} ${isToSignIn ? 'sign in' : to}`
}

async function documentsAt(page: Page, paths: string[]): Promise<string[]> {
  const cookies = await page.context().cookies()
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const documents: string[] = []
  for (const path of paths) documents.push(await documentAt(new URL(path, page.url()), cookie))
  return documents
}

test('every address shows a person in each role the page of the table', async ({
  page,
  api,
  kind,
  troubles,
}) => {
  // Hardware has no names: the API refuses a text that is no id.
  troubles.allow(/^40[34] /, /^400 GET \/v1\/system\/hardware\/\S*no-such-thing/, /^ApiError/)
  const rows = createRows()
  let instance = ''
  for (const role of roleNames) {
    const person = people[role]
    await openSignIn(page)
    if (person) {
      // The preview begins with the demo again each time its document is opened.
      if (kind === 'preview' || instance === '') {
        await signInWithin(page, 'hanna-okafor')
        instance = await prepare(api)
      }
      await signInWithin(page, person)
      await api.currentUserSshKeyCreate({ body: ownKey })
    }
    const at = (row: Row) => pathOf({ ...row, parameters: { instance, ...row.parameters } })
    // Without a session the console leaves all other pages. The next tests are about that.
    const visited = rows.filter((row) => person || isSignIn(row))
    const own = rows.filter(({ foundBy }) => foundBy === role)
    const [visits, documents] = await Promise.all([
      visitAll(page, [...visited.map(at), ...own.flatMap(missingPathOf)]),
      kind === 'server' ? documentsAt(page, rows.map(at)) : [],
    ])
    documents.forEach((document, i) => rows[i]?.documents.set(role, document))
    visits.forEach((visit, i) => visited[i]?.visits.set(role, visit))
    const found = visits.slice(visited.length).filter(({ error }) => error !== 'Page not found')
    expect(found, `pages of nothing for ${role}`).toEqual([])
    const lost = own.filter(({ visits: of }) => of.get(role)?.error !== undefined).map((row) => row.address)
    expect(lost, `addresses that ${role} does not find`).toEqual(
      notFound.filter((address) => own.some((row) => row.address === address)),
    )
  }
  compare([...heading, ...rows.map((row) => lineOf(row).replaceAll(instance, '{instance}'))], kind)
})

/** Compares a table with the golden file, or writes it (`npm run walk`). */
function compare(lines: string[], kind: Kind): void {
  if (kind === 'server' && test.info().config.updateSnapshots === 'all')
    writeFileSync(goldenFile, `${lines.join('\n')}\n`)
  const golden = readFileSync(goldenFile, 'utf8').trimEnd().split('\n')
  const compared = kind === 'server' ? (line: string) => line : withoutDocument
  expect(lines.map(compared)).toEqual(golden.map(compared))
}

const ofEachFrame = [
  '/projects',
  '/settings/profile',
  '/system/silos',
  '/lookup/i/collector-01',
  '/projects/telemetry/instances/collector-01/serial-console',
]
for (const path of ofEachFrame)
  test(`a person without a session is led from ${path} to sign in and back`, async ({ page, troubles }) => {
    troubles.allow(/^401 /, /^ApiError: credentials/)
    await openSignIn(page)
    await go(page, path)
    await expectPath(page, `/login/${silo}/local?redirect_uri=${encodeURIComponent(path)}`)
  })
