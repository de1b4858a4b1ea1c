/**
 * How fast the console responds to a user: the built console on the demonstration, no
 * latency but the machine's own. Times run from the press of the mouse to the frame that shows the goal.
 */
import type { CDPSession, Locator, Page } from '@playwright/test'
import { buildConsole } from '@purlin/tools/building/build'
import { demoUser, launch, visited, type Site } from './browser.ts'
import { median, type Figure } from '../figures.ts'
import { signIn } from '@purlin/server/testing/requests'
import { startServer } from './servers.ts'

const project = '/projects/batch-lab'
/** One round of navigation: what is pressed, and the text of the target. */
const route = [
  { press: `main a[href^="${project}/instances/worker-001"]`, goal: 'Boot disk' },
  { press: 'a[href$="/networking"][role="tab"]', goal: 'Network interfaces' },
  { press: 'a[role="tab"][href*="/metrics"]', goal: 'CPU Utilization' },
  { press: 'a[href$="/connect"][role="tab"]', goal: 'Serial console' },
  { press: 'a[href$="/settings"][role="tab"]', goal: 'Auto-restart' },
  { press: `nav a[href="${project}/disks"]`, goal: 'New Disk' },
  { press: `nav a[href="${project}/instances"]`, goal: 'New Instance' },
] as const
const navigations = 210
const firstTimes = 5
const openings = 15

export async function navigationFigures(): Promise<Figure[]> {
  await buildConsole('production')
  const server = await startServer(undefined, ['--demo'])
  const browser = await launch()
  try {
    const { cookie } = await signIn(server.url, demoUser)
    const site = { browser, origin: server.url, cookie }
    const { press, goal } = route[0]
    const firstTime = (page: Page) => timeOf(page, page.locator(press).first(), goal)
    const first: number[] = []
    for (let i = 0; i < firstTimes; i++) first.push(await onList(site, firstTime))
    const later = await onList(site, laterFigures)
    return [{ name: 'list to instance: first time', value: median(first), unit: 'ms' }, ...later]
  } finally {
    await browser.close()
    await server.stop()
  }
}

/** Runs on the list of instances, in a browser that has visited nothing else. */
const onList = <T>(site: Site, run: (page: Page, session: CDPSession) => Promise<T>): Promise<T> =>
  visited(site, async (page, session) => {
    await page.goto(`${site.origin}${project}/instances`, { waitUntil: 'networkidle' })
    return run(page, session)
  })

async function laterFigures(page: Page, session: CDPSession): Promise<Figure[]> {
  // The first round fetches what later ones have: it counts for the times, not for the memory.
  const times = await roundTrip(page)
  const before = await heapBytes(session)
  while (times.length < navigations) times.push(...(await roundTrip(page)))
  const growth = (await heapBytes(session)) - before
  const sorted = times.toSorted((a, b) => a - b)
  return [
    { name: 'navigation: p50', value: median(times), unit: 'ms' },
    { name: 'navigation: p95', value: sorted[Math.floor(sorted.length * 0.95)] ?? NaN, unit: 'ms' },
    { name: 'navigation: longest', value: sorted.at(-1) ?? NaN, unit: 'ms' },
    { name: 'side modal to focused field', value: await modalTime(page), unit: 'ms' },
    { name: `memory: growth over ${navigations} navigations`, value: growth / 1e6, unit: 'MB' },
  ]
}

async function roundTrip(page: Page): Promise<number[]> {
  const times: number[] = []
  for (const { press, goal } of route) times.push(await timeOf(page, page.locator(press).first(), goal))
  return times
}

/** From pressing 'New Disk' until the name can be typed. */
async function modalTime(page: Page): Promise<number> {
  await page.locator(`nav a[href="${project}/disks"]`).first().click()
  const times: number[] = []
  for (let i = 0; i < openings; i++) {
    times.push(await timeOf(page, page.getByRole('link', { name: 'New Disk', exact: true }).first(), null))
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
  return median(times)
}

/** Milliseconds from pressing a control until the frame with the goal: a heading, link or button, or null for a focused field. */
async function timeOf(page: Page, control: Locator, goal: string | null): Promise<number> {
  // A person's pointer is on the control before they press.
  await control.hover()
  await page.waitForTimeout(80)
  const reached = await page.evaluateHandle(watchFor, goal)
  await page.mouse.down()
  await page.mouse.up()
  return reached.evaluate(({ time }) => time)
}

/** Runs in the page: records when the mouse is pressed and when the target was painted. */
function watchFor(goal: string | null): { time: Promise<number> } {
  const parts = 'main :is(h1, h2, h3, a, button)'
  const isThere = () =>
    goal === null
      ? document.activeElement instanceof HTMLInputElement
      : [...document.querySelectorAll(parts)].some((one) => one.textContent.trim().startsWith(goal))
  const time = new Promise<number>((done) => {
    let pressed: number | undefined
    const press = (event: MouseEvent) => (pressed = event.timeStamp)
    window.addEventListener('mousedown', press, { once: true, capture: true })
    const look = () => {
      if (pressed === undefined || !isThere()) return void requestAnimationFrame(look)
      // This frame paints the present document, and a message arrives right after it.
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener('message', () => done(performance.now() - (pressed ?? 0)))
      port1.start()
      port2.postMessage(null)
    }
    requestAnimationFrame(look)
  })
  return { time }
}

/** Bytes of live objects. */
async function heapBytes(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize
}
