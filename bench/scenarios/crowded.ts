/**
 * Waiting times in a project with ten thousand instances and two thousand images: the built console in Chromium.
 * Times run from the key or the press of the mouse to the frame that shows the goal.
 */
import type { Locator, Page } from '@playwright/test'
import { newFolder } from '@purlin/server/testing/children'
import { signIn } from '@purlin/server/testing/requests'
import { buildConsole } from '@purlin/tools/building/build'
import { arrive, launch, visited, type Site } from './browser.ts'
import { median, type Figure, type Pace } from '../figures.ts'
import { imageName, instanceName, project, seed, seedImages } from '../seed.ts'
import { startServer } from './servers.ts'

const counts = { instances: 10_000, images: 2000 }
const pageSize = 50
const deepPage = 20
const one = instanceName(8765)
// The palette has the page's entries immediately.
const elsewhere = instanceName(4321)
const base = `/projects/${project}`
const row = 'tbody tr'
/** The first row of a page of instances, by its number from 1. */
const firstOf = (number: number) => instanceName((number - 1) * pageSize)

export async function crowdedConsole(pace: Pace): Promise<Figure[]> {
  await buildConsole('production')
  const folder = newFolder()
  try {
    const place = { folder: folder.path }
    await seed(place, counts.instances)
    await seedImages(place, counts.images)
    return await figuresIn(folder.path, Math.max(5, pace.rounds))
  } finally {
    folder.remove()
  }
}

async function figuresIn(folder: string, rounds: number): Promise<Figure[]> {
  const server = await startServer({ folder })
  const browser = await launch()
  try {
    const { cookie } = await signIn(server.url)
    const site = { browser, origin: server.url, cookie }
    const seen = new Map<string, number[]>()
    const units = new Map<string, Figure['unit']>()
    const add = (name: string, value: number, unit: Figure['unit'] = 'ms') => {
      seen.set(name, [...(seen.get(name) ?? []), value])
      units.set(name, unit)
    }
    for (let i = 0; i < rounds; i++) {
      await visited(site, (page) => lists(page, site, add))
      await visited(site, (page) => picker(page, site, add))
    }
    return [...seen].map(([name, values]) => ({
      name,
      value: median(values),
      unit: units.get(name) ?? 'ms',
    }))
  } finally {
    await browser.close()
    await server.stop()
  }
}

type Add = (name: string, value: number, unit?: Figure['unit']) => void

/** The list of instances, its search and pages, the palette, and the list of images. */
async function lists(page: Page, site: Site, add: Add): Promise<void> {
  const { origin } = site
  const shows = (text: string) => ({ selectors: [row], text })
  add('first row', (await arrive(page, `${origin}${base}/instances`, shows(instanceName(0)))).goal)
  const next = page.getByRole('button', { name: 'next', exact: true })
  await pointed(next)
  for (let number = 2; number <= deepPage; number++) {
    const time = await timeTo(page, { selector: row, text: firstOf(number), act: () => next.click() })
    if (number === 2) add('next page', time)
  }
  const deep = page.url()
  await searchFigures(page, `${origin}${base}/instances`, add)
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').waitFor()
  const typed = () => page.keyboard.insertText(elsewhere)
  add('palette: first result', await timeTo(page, { selector: '[role=option]', text: elsewhere, act: typed }))
  await page.keyboard.press('Escape')
  const images = page.locator(`nav a[href="${base}/images"]`).first()
  await pointed(images)
  const pressed = () => images.click()
  add('list of images: opened', await timeTo(page, { selector: row, text: imageName(0), act: pressed }))
  await visited(site, async (fresh) => {
    add('deep link to page 20', (await arrive(fresh, deep, shows(firstOf(deepPage)))).goal)
    const prev = () => fresh.getByRole('button', { name: 'prev', exact: true }).click()
    // Any other page fails here.
    await timeTo(fresh, { selector: row, text: firstOf(deepPage - 1), act: prev })
  })
}

/** A mouse is over what it presses for a while. */
async function pointed(target: Locator): Promise<void> {
  await target.hover()
  await target.page().waitForTimeout(200)
}

async function searchFigures(page: Page, url: string, add: Add): Promise<void> {
  await page.goto(url, { waitUntil: 'networkidle' })
  await page.getByRole('searchbox').focus()
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const sent: string[] = []
  let bytes = 0
  session.on('Network.requestWillBeSent', ({ request }) => {
    if (request.url.includes('find=')) sent.push(request.url)
  })
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
  const act = () => page.keyboard.insertText(one)
  add(
    'search for one name',
    await timeTo(page, { selector: `${row}:first-child:last-child`, text: one, act }),
  )
  await page.waitForTimeout(500)
  add('search for one name: requests', sent.length, 'count')
  add('search for one name: bytes', bytes / 1000, 'kB')
  await session.detach()
}

/** The field of the image in the form of an instance. */
async function picker(page: Page, { origin }: Site, add: Add): Promise<void> {
  await page.goto(`${origin}${base}/instances-new`, { waitUntil: 'networkidle' })
  await page.getByRole('tab', { name: 'Project images' }).click()
  const box = page.getByRole('combobox', { name: 'Image', exact: true })
  await box.waitFor()
  await page.waitForTimeout(500)
  const option = '[role=option]'
  const open = () => box.click()
  add('image picker: opened', await timeTo(page, { selector: option, text: imageName(0), act: open }))
  for (const key of imageName(1777)) {
    add('image picker: a key', await keyTime(page, key))
    await page.waitForTimeout(120)
  }
  await page.locator(option, { hasText: imageName(1777) }).waitFor()
}

interface Goal {
  selector: string
  text: string
  act: () => Promise<void>
}

/** Milliseconds from the first key or press of an action to the frame in which something with the text is there. */
async function timeTo(page: Page, { selector, text, act }: Goal): Promise<number> {
  const reached = await page.evaluateHandle(watchFor, [selector, text] as const)
  await act()
  return reached.evaluate(({ time }) => time)
}

/** Milliseconds that a key keeps the page from the next frame. */
async function keyTime(page: Page, key: string): Promise<number> {
  const reached = await page.evaluateHandle(watchFor, ['body', ''] as const)
  await page.keyboard.press(key)
  return reached.evaluate(({ time }) => time)
}

/** Runs in the page. */
function watchFor([selector, text]: readonly [string, string]): { time: Promise<number> } {
  const isThere = () =>
    [...document.querySelectorAll(selector)].some((found) => found.textContent.includes(text))
  const time = new Promise<number>((done, fail) => {
    let begun: number | undefined
    const begin = (event: Event) => {
      begun ??= event.timeStamp
    }
    for (const type of ['keydown', 'beforeinput', 'mousedown'])
      window.addEventListener(type, begin, { once: true, capture: true })
    const late = setTimeout(() => fail(new Error(`no ${selector} with ${text}`)), 15_000)
    const look = () => {
      if (begun === undefined || !isThere()) return void requestAnimationFrame(look)
      // This frame paints the present document, and a message arrives right after it.
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener('message', () => {
        clearTimeout(late)
        done(performance.now() - (begun ?? 0))
      })
      port1.start()
      port2.postMessage(null)
    }
    requestAnimationFrame(look)
  })
  return { time }
}
