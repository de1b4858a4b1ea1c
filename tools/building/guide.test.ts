import { errorAnchor, guides } from '@purlin/console/src/lib/addresses'
import { operations } from '@purlin/contract/operations'
import { snake } from '@purlin/contract/wire'
import { groups } from '@purlin/guide/pages'
import { missingTargets, render, sectionsOf } from '@purlin/guide/build'
import { flagRows } from '@purlin/server/process/config'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { buttonsIn, textsOfConsole } from './guide-buttons.ts'
import { errorRows } from './guide-errors.ts'
import { guideParts, readExamples } from './guide-parts.ts'
import { root } from '../repo.ts'

let pages: Awaited<ReturnType<typeof render>>
beforeAll(async () => (pages = await render(guideParts(''))))
const guideFolder = join(root, 'docs/guide')
const contentOf = (path: string) => pages.find(({ url }) => url === path)?.content ?? ''

it('every link of the guide and of the console has its target', () => {
  expect(missingTargets(pages)).toEqual([])
  const links = Object.values(guides).map(({ href }) => `<a href="${href}">`)
  expect(missingTargets([...pages, { url: '/console', content: links.join('') }])).toEqual([])
})

it('every page is in the menu, and says what it is about', () => {
  const files = readdirSync(guideFolder).map((name) => name.replace('.md', ''))
  const named = groups.flatMap((group) => group.pages)
  expect([...named, 'not-found'].toSorted()).toEqual(files.toSorted())
  expect(pages.filter(({ content }) => !/<h1>.+<\/h1>\s*<p class="about">.+<\/p>/.test(content))).toEqual([])
})

it('every operation, flag and error is documented', () => {
  const ids = new Set(
    pages.flatMap(({ content }) => [...content.matchAll(/<h2 id="(\w+)"/g)].map(([, id]) => id)),
  )
  expect(Object.keys(operations).filter((name) => !ids.has(snake(name)))).toEqual([])
  const examples = readExamples()
  expect(Object.keys(operations).filter((name) => !examples[snake(name)])).toEqual([])
  const settings = contentOf('/docs/server-settings')
  expect(flagRows().filter(({ flag }) => !settings.includes(`<code>${flag}</code>`))).toEqual([])
  const errors = pages.flatMap(sectionsOf).filter(({ id }) => id.startsWith('/docs/troubleshooting'))
  const text = errors.map((section) => section.text).join(' ')
  const missing = Object.values(errorRows).filter(({ fault }) => !text.includes(fault.message))
  expect(missing).toEqual([])
  const linked = contentOf('/docs/troubleshooting')
  const codes = Object.values(errorRows).flatMap(({ fault }) => fault.code ?? [])
  expect(codes.filter((code) => !linked.includes(`id="${errorAnchor(code)}"`))).toEqual([])
})

it('the names of buttons, tabs and pages are those of the console', () => {
  const shown = textsOfConsole()
  const isShown = (name: string) => shown.has(name.toLowerCase())
  const wrong = readdirSync(guideFolder).flatMap((file) =>
    buttonsIn(readFileSync(join(guideFolder, file), 'utf8'))
      .filter((name) => !isShown(name))
      .map((name) => `${file}: ${name}`),
  )
  expect(wrong).toEqual([])
})

it('no page runs a script within it or names another host', () => {
  for (const { url, content } of pages) {
    expect([url, content.match(/<script(?! (?:type="module" )?src="\/docs\/)| on\w+="|style="/)]).toEqual([
      url,
      null,
    ])
    expect([url, content.match(/(?:src|href)="(?:https?:)?\/\//)]).toEqual([url, null])
  }
})
