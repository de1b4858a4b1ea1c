/** What a browser receives on a first visit, and when it shows the first row: the built console on the demonstration. */
import { chromium, type Browser, type CDPSession, type Page } from '@playwright/test'
import { buildConsole } from '@purlin/tools/build'
import { median, type Figure, type Pace } from './figures.ts'
import { signIn } from '@purlin/server/testing/requests'
import { startServer } from './servers.ts'

interface Visit {
  name: string
  path: string
  /** text of the first row */
  row?: string
}
const visits: readonly Visit[] = [
  { name: 'sign-in', path: '/login/engineering/local' },
  { name: 'projects', path: '/projects', row: 'batch-lab' },
  { name: 'instances', path: '/projects/batch-lab/instances', row: 'worker-001' },
]
/** Who signs in to the demonstration. */
export const demoUser = { silo: 'engineering', user: 'hanna-okafor', password: 'drafting-table' }
const kinds = { Document: 'HTML', Script: 'JavaScript', Stylesheet: 'CSS', Font: 'fonts' } as const

// Without them the browser contacts its vendor while it is measured.
const quiet = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
/** Chromium without background traffic. */
export const launch = () =>
  chromium.launch({
    executablePath: process.env['PURLIN_CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', ...quiet],
  })

export async function firstLoads(pace: Pace): Promise<Figure[]> {
  await buildConsole('production')
  const server = await startServer(undefined, ['--demo'])
  const browser = await launch()
  try {
    const { cookie } = await signIn(server.url, demoUser)
    const found: Figure[] = []
    for (const visit of visits)
      found.push(...(await figuresOf({ browser, origin: server.url, cookie }, visit, pace)))
    return found
  } finally {
    await browser.close()
    await server.stop()
  }
}

interface Site {
  browser: Browser
  origin: string
  cookie: string
}

async function figuresOf(site: Site, visit: Visit, { rounds }: Pace): Promise<Figure[]> {
  const bytes = await visited(site, visit, (page, session) =>
    bytesOf(page, session, site.origin + visit.path),
  )
  const sizes = [...bytes].map(
    ([kind, sum]) => ({ name: `${visit.name}: ${kind}`, value: sum / 1000, unit: 'kB' }) as const,
  )
  const sum = {
    name: `${visit.name}: everything`,
    value: [...bytes.values()].reduce((a, b) => a + b, 0) / 1000,
    unit: 'kB',
  } as const
  const { row } = visit
  if (row === undefined) return [...sizes, sum]
  const times: number[] = []
  for (let i = 0; i < Math.max(rounds, 5); i++)
    times.push(await visited(site, visit, (page) => timeToRow(page, site.origin + visit.path, row)))
  return [...sizes, sum, { name: `${visit.name}: time to the first row`, value: median(times), unit: 'ms' }]
}

/** Opens a page with an empty cache; signed in, unless it is the page for that. */
async function visited<T>(
  site: Site,
  { row }: Visit,
  look: (page: Page, session: CDPSession) => Promise<T>,
): Promise<T> {
  const context = await site.browser.newContext()
  try {
    const [name = '', value = ''] = site.cookie.split('=')
    if (row !== undefined) await context.addCookies([{ name, value, url: site.origin }])
    const page = await context.newPage()
    return await look(page, await context.newCDPSession(page))
  } finally {
    await context.close()
  }
}

/** Bytes on the wire by kind, and those of all headers. What the API answers is not counted. */
async function bytesOf(page: Page, session: CDPSession, url: string): Promise<Map<string, number>> {
  const seen = new Map<string, { kind: string; headers: number }>()
  const bytes = new Map<string, number>([...Object.values(kinds), 'headers'].map((kind) => [kind, 0]))
  const add = (kind: string, count: number) => bytes.set(kind, (bytes.get(kind) ?? 0) + count)
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    const kind = Object.entries(kinds).find(([one]) => one === type)?.[1]
    if (kind) seen.set(requestId, { kind, headers: response.encodedDataLength })
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const found = seen.get(requestId)
    if (!found) return
    add('headers', found.headers)
    add(found.kind, encodedDataLength - found.headers)
  })
  await session.send('Network.enable')
  await page.goto(url, { waitUntil: 'networkidle' })
  return bytes
}

/** Milliseconds from the start of the navigation until a row with this text is in the page and painted. */
async function timeToRow(page: Page, url: string, text: string): Promise<number> {
  await page.goto(url, { waitUntil: 'commit' })
  const time = await page.waitForFunction(
    (wanted) => {
      const rows = [...document.querySelectorAll('tbody tr, [role="row"]')]
      return rows.some((row) => row.textContent.includes(wanted)) && performance.now()
    },
    text,
    { polling: 'raf', timeout: 15_000 },
  )
  return Number(await time.jsonValue())
}
