/** The transfer of a first visit, and the time of its first row: the built console with the demo. */
import { chromium, type Browser, type CDPSession, type Page } from '@playwright/test'
import { buildConsole } from '@purlin/tools/building/build'
import { ensure, findWholeChromium } from '@purlin/tools/machine'
import { median, type Figure, type Pace } from '../figures.ts'
import { signIn } from '@purlin/server/testing/requests'
import { startServer } from './servers.ts'

interface Visit {
  name: string
  path: string
  /** Without it, no user is signed in and no times are measured. */
  goal?: Goal
}
/** The elements that a user waits for: all must exist, the last one with this text. */
/** The elements of a complete page. */
export interface Shown {
  /** Each finds something, */
  selectors: readonly string[]
  /** and something that the last one finds has this text. */
  text: string
}
interface Goal extends Shown {
  /** what the figure is called */
  name: string
}
const firstRow = (text: string): Goal => ({
  name: 'time to the first row',
  selectors: ['tbody tr, [role="row"]'],
  text,
})
const visits: readonly Visit[] = [
  { name: 'sign-in', path: '/login/engineering/local' },
  { name: 'projects', path: '/projects', goal: firstRow('batch-lab') },
  { name: 'instances', path: '/projects/batch-lab/instances', goal: firstRow('worker-001') },
  {
    name: 'create instance',
    path: '/projects/batch-lab/instances-new',
    goal: {
      name: 'usable',
      selectors: ['input[name=name]:enabled', '[role=combobox]:enabled', 'button[type=submit]'],
      text: 'Create instance',
    },
  },
]
/** The user of the demo. */
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
export async function launch(): Promise<Browser> {
  await ensure(findWholeChromium, 'chromium')
  const executablePath = findWholeChromium() ?? 'chromium'
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', ...quiet] })
}

export async function firstLoads(pace: Pace): Promise<Figure[]> {
  await buildConsole('production')
  const server = await startServer(undefined, ['--demo'])
  const browser = await launch()
  try {
    const { cookie } = await signIn(server.url, demoUser)
    const found: Figure[] = []
    for (const visit of visits) {
      const site = { browser, origin: server.url, cookie: visit.goal ? cookie : '' }
      found.push(...(await figuresOf(site, visit, pace)))
    }
    return found
  } finally {
    await browser.close()
    await server.stop()
  }
}

/** A console under test. */
export interface Site {
  browser: Browser
  origin: string
  /** of the session; empty without a signed-in user */
  cookie: string
}

async function figuresOf(site: Site, visit: Visit, { rounds }: Pace): Promise<Figure[]> {
  const bytes = await visited(site, (page, session) => bytesOf(page, session, site.origin + visit.path))
  const sizes = [...bytes].map(
    ([kind, sum]) => ({ name: `${visit.name}: ${kind}`, value: sum / 1000, unit: 'kB' }) as const,
  )
  const sum = {
    name: `${visit.name}: everything`,
    value: [...bytes.values()].reduce((a, b) => a + b, 0) / 1000,
    unit: 'kB',
  } as const
  const { goal } = visit
  if (!goal) return [...sizes, sum]
  const arrivals: Arrival[] = []
  for (let i = 0; i < Math.max(rounds, 5); i++)
    arrivals.push(await visited(site, (page) => arrive(page, site.origin + visit.path, goal)))
  const middle = (of: keyof Arrival) => median(arrivals.map((one) => one[of]))
  return [
    ...sizes,
    sum,
    { name: `${visit.name}: ${goal.name}`, value: middle('goal'), unit: 'ms' },
    { name: `${visit.name}: first paint`, value: middle('firstPaint'), unit: 'ms' },
    { name: `${visit.name}: longest task`, value: middle('longestTask'), unit: 'ms' },
    { name: `${visit.name}: layout shift`, value: middle('shift'), unit: 'score' },
  ]
}

/** Opens a page with an empty cache; signed in, if the site has a cookie. */
export async function visited<T>(
  { browser, origin, cookie }: Site,
  look: (page: Page, session: CDPSession) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  try {
    const [name = '', value = ''] = cookie.split('=')
    if (name !== '') await context.addCookies([{ name, value, url: origin }])
    const page = await context.newPage()
    // A new window loads parts of the browser itself, in the background.
    await page.waitForTimeout(1500)
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

/** The figures of a visit: moments in milliseconds since its start, and the score of all layout shifts. */
export interface Arrival {
  /** The frame that shows the goal. */
  goal: number
  firstPaint: number
  /** 0 if no task is longer than 50 ms, from which on the browser reports them. */
  longestTask: number
  shift: number
}

/** Opens the page and observes it until it has been quiet for a while. */
export async function arrive(page: Page, url: string, { selectors, text }: Shown): Promise<Arrival> {
  await page.addInitScript(observeVisit)
  await page.goto(url, { waitUntil: 'commit' })
  const reached = await page.waitForFunction(
    ([all, wanted]) => {
      const found = all.map((one) => [...document.querySelectorAll(one)])
      const isThere = found.every((ones) => ones.length > 0)
      return isThere && found.at(-1)?.some((one) => one.textContent.includes(wanted)) && performance.now()
    },
    [selectors, text] as const,
    { polling: 'raf', timeout: 15_000 },
  )
  const goal = Number(await reached.jsonValue())
  // Idle work of a page takes the thread as well.
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(1000)
  const seen = await page.evaluate(() => window.seen)
  return { ...seen, goal }
}

declare global {
  interface Window {
    /** Of the visit: the page measures it for itself. */
    seen: Omit<Arrival, 'goal'>
  }
}

/** Runs in the page before its scripts. */
function observeVisit(): void {
  const seen = { firstPaint: NaN, longestTask: 0, shift: 0 }
  Object.assign(window, { seen })
  const observe = (type: string, on: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(on)).observe({ type, buffered: true })
  observe('paint', ({ name, startTime }) => {
    if (name === 'first-paint') seen.firstPaint = startTime
  })
  observe('longtask', ({ duration }) => (seen.longestTask = Math.max(seen.longestTask, duration)))
  observe('layout-shift', (entry) => {
    if ('value' in entry) seen.shift += Number(entry.value)
  })
}
