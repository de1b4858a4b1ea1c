/** Builds the guide: the pages of `docs/guide` and those of the API, with their search. */
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { Eleventy, type BuiltPage, type Configuration } from '@11ty/eleventy'
import MiniSearch from 'minisearch'
import { build } from 'vite'
import { type ApiPage, pageOfOperation } from './api.ts'
import { indexOptions } from './browser/index-options.ts'
import { amend } from './markdown.ts'
import { groups } from './pages.ts'

/** The sources of a guide, and the folder that it is built into. */
export interface GuideParts {
  /** the root of the repository */
  root: string
  out: string
  /** the OpenAPI document, to download */
  document: unknown
  api: readonly ApiPage[]
  /** Markdown made from data, for the comments `<!-- NAME -->` in pages. */
  lists: Readonly<Record<string, string>>
}

/** A heading of a page and what follows it. */
export interface Section {
  /** its address */
  id: string
  title: string
  heading: string
  text: string
}

const here = import.meta.dirname
const contentFolder = 'docs/guide'
const addressOfPage = (name: string) => (name === 'index' ? '/docs' : `/docs/${name}`)

/** Builds everything. Throws on a link, picture or list that does not exist. */
export async function buildPages(parts: GuideParts): Promise<void> {
  const { root, out } = parts
  const pages = await render(parts)
  checkLinks(pages)
  rmSync(out, { recursive: true, force: true })
  for (const { url, content } of pages)
    write(join(out, `${url.slice('/docs'.length) || '/index'}.html`), content)
  copyAssets(root, out)
  write(join(out, 'api/openapi.json'), JSON.stringify(parts.document))
  copyPictures(pages, parts)
  const index = new MiniSearch<Section>(indexOptions)
  index.addAll(pages.flatMap(sectionsOf))
  write(join(out, 'assets/search.json'), JSON.stringify(index))
  await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir: join(out, 'assets'),
      emptyOutDir: false,
      lib: { entry: join(here, 'browser/page.ts'), formats: ['es'], fileName: () => 'page.js' },
      target: 'es2022',
    },
  })
}

/** All pages, in memory. */
export async function render({ root, api, lists }: GuideParts): Promise<BuiltPage[]> {
  const titles = new Map<string, string>(
    groups.flatMap(({ pages }) =>
      pages.map((name) => [name, titleOf(join(root, contentFolder, `${name}.md`))]),
    ),
  )
  const menu = groups.map(({ name, pages }) => ({
    name,
    pages: pages.map((page) => ({ url: addressOfPage(page), title: titles.get(page) })),
  }))
  menu.at(-1)?.pages.splice(0, 0, { url: '/docs/api', title: 'API' })

  const configure = (made: Configuration) => {
    made.setUseGitIgnore(false)
    made.setTemplateFormats(['md', 'njk'])
    made.setLayoutsDirectory(relative(join(root, contentFolder), join(here, 'layouts')))
    made.addGlobalData('layout', 'page.njk')
    // No template language in Markdown: braces are braces.
    made.addGlobalData('templateEngineOverride', 'md')
    made.addGlobalData('groups', menu)
    // Eleventy calls a function that is global data, and a permalink with the data of its page.
    made.addGlobalData('permalink', () => permalinkOf)
    made.addGlobalData('eleventyComputed', {
      here: ({ page }: { page: { url: string } }) => addressAt(page.url),
    })
    made.addFilter('headings', headingsOf)
    made.addPreprocessor('lists', 'md', (_, text) =>
      text.replaceAll(/^<!-- (\w+) -->$/gm, (_all, name: string) => listOf(lists, name)),
    )
    made.amendLibrary('md', (markdown) => amend(markdown, (name) => pageOfOperation(api, name)))
    const template = readFileSync(join(here, 'layouts/api.njk'), 'utf8')
    for (const page of api)
      made.addTemplate(`api-${page.name}.njk`, template, {
        ...page,
        permalink: `/api/${page.name}.html`,
        templateEngineOverride: 'njk',
      })
    made.addTemplate('api.njk', readFileSync(join(here, 'layouts/api-index.njk'), 'utf8'), {
      title: 'API',
      about: 'Every operation of the API, by subject.',
      permalink: '/api.html',
      templateEngineOverride: 'njk',
      subjects: api,
    })
  }
  const input = relative(process.cwd(), join(root, contentFolder)) || '.'
  const eleventy = new Eleventy(input, '_site', { quietMode: true, source: 'script', config: configure })
  eleventy.disableLogger()
  await eleventy.init()
  const pages = await eleventy.toJSON()
  return pages.map(({ url, content }) => ({ url: addressAt(url), content }))
}

function listOf(lists: GuideParts['lists'], name: string): string {
  const list = lists[name]
  if (list === undefined) throw new Error(`the guide names the list ${name}, which does not exist`)
  return list
}

const permalinkOf = ({ page }: { page: { fileSlug: string } }) => `/${page.fileSlug || 'index'}.html`

/** `/disks.html` → `/docs/disks` */
const addressAt = (url: string) => addressOfPage(url.replace(/^\//, '').replace(/\.html$/, '') || 'index')

const titleOf = (file: string): string => /^title: (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? ''

const headingsOf = (html: string): { id: string; text: string }[] =>
  [...html.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/g)].map(([, id = '', text = '']) => ({
    id,
    text: textOf(text),
  }))

const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim()

const isApi = (url: string) => url.startsWith('/docs/api') && !url.endsWith('/schemas')

/** The sections of a page, for the search: an operation is one. */
export function sectionsOf({ url, content }: BuiltPage): Section[] {
  const main = /<h1>(.*?)<\/h1>(.*)<\/main>/s.exec(content)
  const title = textOf(main?.[1] ?? '')
  const [first = '', ...rest] = (main?.[2] ?? '').split(isApi(url) ? /(?=<h2 id=")/ : /(?=<h[23] id=")/)
  const sections = rest.map((html) => {
    const [, id = '', heading = ''] = /^<h[23] id="([^"]+)">(.*?)<\/h[23]>/s.exec(html) ?? []
    return { id: `${url}#${id}`, title, heading: textOf(heading), text: textOf(html) }
  })
  return [{ id: url, title, heading: title, text: textOf(first) }, ...sections]
}

/** The targets in a page that no page has: `/docs/disks#attach`. Addresses of the console are not of the guide. */
export function missingTargets(pages: readonly BuiltPage[]): string[] {
  const ids = (content: string) => [...content.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  const targets = new Set(
    pages.flatMap(({ url, content }) => [url, ...ids(content).map((id) => `${url}#${id}`)]),
  )
  return pages.flatMap(({ url, content }) =>
    [...content.matchAll(/<a [^>]*href="([^"]*)"/g)]
      .map(([, href = '']) => (href.startsWith('#') ? url + href : href))
      .filter((target) => !targets.has(target) && !['/', '/docs/api/openapi.json'].includes(target))
      .map((target) => `${url} links ${target}`),
  )
}

function checkLinks(pages: readonly BuiltPage[]): void {
  const missing = missingTargets(pages)
  if (missing.length > 0) throw new Error(`the guide has links without a target:\n${missing.join('\n')}`)
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function copyAssets(root: string, out: string): void {
  const console = join(root, 'apps/console')
  const fonts = join(root, 'node_modules/@fontsource-variable')
  const copy = (from: string, to: string) => cpSync(from, join(out, 'assets', to))
  copy(join(console, 'src/favicon.png'), 'favicon.png')
  copy(join(console, 'public/theme.js'), 'theme.js')
  copy(join(fonts, 'inter/files/inter-latin-wght-normal.woff2'), 'inter.woff2')
  copy(join(fonts, 'jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2'), 'mono.woff2')
  const tokens = readFileSync(join(console, 'src/styles/tokens.css'), 'utf8')
  write(join(out, 'assets/guide.css'), `${tokens}\n${readFileSync(join(here, 'guide.css'), 'utf8')}`)
}

/** The pictures that pages show. Throws if one does not exist. */
function copyPictures(pages: readonly BuiltPage[], { root, out }: GuideParts): void {
  const shown = new Set(
    pages.flatMap(({ content }) =>
      [...content.matchAll(/\/docs\/(screens\/[\w-]+\.webp)/g)].map(([, name = '']) => name),
    ),
  )
  mkdirSync(join(out, 'screens'), { recursive: true })
  for (const name of shown) {
    const file = join(root, 'docs', name)
    if (!existsSync(file)) throw new Error(`the guide shows ${name}, which does not exist`)
    copyFileSync(file, join(out, name))
  }
}
