import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { renderFile, type FirstAnswer, type Visit } from './document.ts'
import type { FirstAnswers } from './first-answers.ts'
import { logTo } from '../process/log.ts'
import { createPageRenderer, type PageRenderer } from './page-renderer.ts'

let dist: string
let lines: string[]
beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), 'purlin-renderer-'))
  lines = []
})
afterEach(() => rmSync(dist, { recursive: true, force: true }))

/** A renderer whose console has this body of `renderPage(url, answers, ask)`. */
function open(body: string): PageRenderer {
  const file = join(dist, renderFile)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(join(dist, 'package.json'), '{ "type": "module" }')
  writeFileSync(
    file,
    `let calls = 0\nexport async function renderPage(url, answers, ask) { calls++\n${body} }`,
  )
  return createPageRenderer(dist, logTo({ write: (line) => void lines.push(line) }, 'info'))
}

const visit: Visit = { address: '/disks', hasFrame: true, files: [], requests: ['/v1/disks'] }
const answer = (url: string, body = '{}'): FirstAnswer => ({ url, headers: {}, body })
const given = (more: FirstAnswers['more'] = () => Promise.resolve(null)): FirstAnswers => ({
  given: [answer('/v1/disks')],
  more,
  end: () => undefined,
})
type Page = Parameters<PageRenderer['render']>[0]
const page = (more: Partial<Page> = {}): Page => ({
  url: '/disks',
  visit,
  answers: given(),
  language: 'en-US,en;q=0.5',
  ...more,
})

/** The first page waits for the thread to start, which may take longer than a document does. */
const whenWarm = (renderer: PageRenderer, one: Page): Promise<string> =>
  vi.waitFor(
    async () => {
      const markup = await renderer.render(one)
      if (markup === null) throw new Error('the page is not rendered')
      return markup
    },
    { timeout: 10_000 },
  )

it('gives the markup of a page', async () => {
  const renderer = open('return { markup: url + answers.map(({ url }) => url) }')
  expect(await whenWarm(renderer, page())).toBe('/disks/v1/disks')
  expect(await renderer.render(page({ url: '/disks/' }))).toBe('/disks//v1/disks')
})

it('asks for what the page needs beside its first answers', async () => {
  const renderer = open(`
    const asked = [ask('/v1/a'), ask('/v1/b'), ask('/v1/a'), ask('/v1/none')]
    return { markup: JSON.stringify((await Promise.all(asked)).map((one) => one?.body ?? null)) }`)
  const more = (who: string) =>
    page({
      answers: given((url) => Promise.resolve(url === '/v1/none' ? null : answer(url, who + url))),
    })
  await whenWarm(renderer, page())
  const pages = await Promise.all(['Ada ', 'Bob '].map((who) => renderer.render(more(who))))
  expect(pages.map((one) => JSON.parse(one ?? '') as unknown)).toEqual(
    ['Ada ', 'Bob '].map((who) => [`${who}/v1/a`, `${who}/v1/b`, `${who}/v1/a`, null]),
  )
})

it('a page that is over is answered no more', async () => {
  const renderer = open(`
    if (url === '/heard') return { markup: String(globalThis.heard) }
    globalThis.heard ??= ''
    void ask('/v1/slow').then(() => (globalThis.heard += url))
    return { markup: url }`)
  let answerSlow: () => void = () => undefined
  const slow = given(() => new Promise((resolve) => (answerSlow = () => resolve(answer('/v1/slow')))))
  await whenWarm(renderer, page())
  expect(await renderer.render(page({ url: '/first', answers: slow }))).toBe('/first')
  answerSlow()
  expect(await renderer.render(page({ url: '/second', answers: given() }))).toBe('/second')
  expect(await renderer.render(page({ url: '/heard' }))).not.toContain('/first')
})

it('renders one page at a time', async () => {
  const renderer = open(`
    globalThis.now = (globalThis.now ?? 0) + 1
    await new Promise((done) => setTimeout(done, 2))
    return { markup: String(globalThis.now--) }`)
  await whenWarm(renderer, page())
  expect(await Promise.all([1, 2, 3].map(() => renderer.render(page())))).toEqual(['1', '1', '1'])
})

it('renders nothing without a frame, without all of its answers, or without a build', async () => {
  const renderer = open('return { markup: "x" }')
  await whenWarm(renderer, page())
  expect(await renderer.render(page({ visit: { ...visit, hasFrame: false } }))).toBeNull()
  expect(await renderer.render(page({ answers: { ...given(), given: [] } }))).toBeNull()
  expect(await renderer.render(page())).toBe('x')
  rmSync(join(dist, '.vite'), { recursive: true })
  expect(await renderer.render(page())).toBeNull()
  expect(lines).toEqual([])
})

it('renders nothing for a language that writes numbers otherwise, or that is none', async () => {
  const renderer = open('return { markup: "x" }')
  await whenWarm(renderer, page())
  const rendered = (language?: string) => renderer.render(page({ language }))
  expect(await rendered('de-DE,de;q=0.9,en;q=0.8')).toBeNull()
  expect(await rendered('no language')).toBeNull()
  expect(await rendered('x'.repeat(2000))).toBeNull()
  expect(await rendered('en-GB')).toBe('x')
  expect(await rendered('*')).toBe('x')
  expect(await rendered()).toBe('x')
})

it('leaves out a page that is very long', async () => {
  const renderer = open('return { markup: "x".repeat(Number(url)) }')
  expect(await whenWarm(renderer, page({ url: '1000' }))).toHaveLength(1000)
  expect(await renderer.render(page({ url: String(1024 * 1024) }))).toBeNull()
})

it('leaves an address that asks for more three times in a row', async () => {
  const renderer = open(`
    if (url === '/calls') return { markup: String(calls) }
    return url === '/disks' ? { asksMore: true } : { markup: url }`)
  const calls = page({ url: '/calls', visit: { ...visit, address: '/calls' } })
  await whenWarm(renderer, calls)
  const before = Number(await renderer.render(calls))
  for (let i = 0; i < 2; i++) expect(await renderer.render(page())).toBeNull()
  expect(await renderer.render(page({ url: '/disks/' }))).toBe('/disks/')
  for (let i = 0; i < 6; i++) expect(await renderer.render(page())).toBeNull()
  expect(await renderer.render(page({ url: '/disks/' }))).toBeNull()
  expect(await renderer.render(calls)).toBe(String(before + 2 + 1 + 3 + 1))
  expect(lines).toEqual([])
})

it('tells a few times that an address fails, and renders the others', async () => {
  const renderer = open('if (url === "/disks") throw new Error("no window"); return { markup: url }')
  const other = page({ url: '/other', visit: { ...visit, address: '/other' } })
  await whenWarm(renderer, other)
  for (let i = 0; i < 9; i++) expect(await renderer.render(page())).toBeNull()
  expect(await renderer.render(other)).toBe('/other')
  const line = { level: 'warn', address: '/disks', reason: 'Error: no window' }
  expect(lines.map((one) => JSON.parse(one) as unknown)).toMatchObject([line, line, line])
})

it('stops for good when its thread ends', async () => {
  const renderer = open('if (url === "/end") process.exit(3); return { markup: url }')
  await whenWarm(renderer, page())
  expect(await renderer.render(page({ url: '/end' }))).toBeNull()
  await expect.poll(() => lines.length).toBe(1)
  expect(await renderer.render(page())).toBeNull()
  expect(lines).toHaveLength(1)
})

it('gives up on a page that takes long, and on pages that queue up behind it', async () => {
  const renderer = open(`
    if (url === '/slow') await new Promise((done) => setTimeout(done, 200))
    return { markup: url }`)
  await whenWarm(renderer, page())
  const slow = page({ url: '/slow' })
  expect(await Promise.all(Array.from({ length: 9 }, () => renderer.render(slow)))).toEqual(
    Array.from({ length: 9 }, () => null),
  )
  // Those that may wait are rendered in the end, for nobody; the others were not begun.
  expect(await whenWarm(renderer, page())).toBe('/disks')
  expect(lines).toEqual([])
})
