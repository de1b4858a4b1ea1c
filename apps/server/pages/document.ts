/** The console's document for one address: the built page with the files and the answers that the address needs first. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPageFinder, type PageKind } from './console-addresses.ts'

/** Where a build keeps its table, which is never served. */
export const firstLoadFile = '.vite/first-load.json'

/** The first load of an address. */
export interface FirstLoad {
  /** with parameters, such as `/projects/$project/disks` */
  address: string
  /** The frame of the console is shown until the page is rendered. */
  hasFrame: boolean
  /** Scripts in addition to those of every page. */
  files: string[]
  /** The first requests of its loaders, with the parameters of the address: `/v1/disks?project=$project`. */
  requests: string[]
}

/** An answer of the API, as the page's transport would get it. */
export interface FirstAnswer {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}

/** A first load with the parameters of the requested path in its requests. */
export type Visit = FirstLoad

export interface Documents {
  /** The scripts within it, as a content security policy names them: `'sha256-…'`. */
  scripts: readonly string[]
  /** The first load of a path; null if the path is no address of the console. */
  visitOf(path: string): Visit | null
  /** Which page is at a path; null for none. */
  pageAt(path: string): PageKind | null
  /** The document; without a visit it has no frame and names no files. */
  text(visit: Visit | null, answers: readonly FirstAnswer[]): string
}

/** Reads the page and the table of a built console. Throws without a page; does without a table. */
export function openDocuments(dir: string): Documents {
  const html = readFileSync(join(dir, 'index.html'), 'utf8')
  const page = splitPage(html)
  const tableFile = join(dir, firstLoadFile)
  const table = existsSync(tableFile) ? (JSON.parse(readFileSync(tableFile, 'utf8')) as FirstLoad[]) : []
  const patterns = table
    .map((load) => ({ load, ...patternOf(load.address) }))
    // The literal part before a parameter.
    .toSorted((a, b) => a.names.length - b.names.length)

  function visitOf(path: string): Visit | null {
    for (const { load, names, pattern } of patterns) {
      const found = pattern.exec(path)
      const values = found && decoded(found.slice(1))
      if (!values) continue
      const given = new Map(names.map((name, i) => [name, encodeURIComponent(values[i] ?? '')]))
      const requests = load.requests.map((url) =>
        url.replaceAll(/\$(\w+)/g, (whole, name: string) => given.get(name) ?? whole),
      )
      return { ...load, requests }
    }
    return null
  }

  function text(visit: Visit | null, answers: readonly FirstAnswer[]): string {
    const { start, end } = visit?.hasFrame ? page.framed : page.bare
    const files = (visit?.files ?? []).map(
      (file) => `<link rel="modulepreload" crossorigin href="/${file}">\n`,
    )
    const script = answers.length > 0 ? asScript(answers) : ''
    return [start, ...files, end, script, page.bodyEnd].join('')
  }

  return { scripts: scriptsIn(html), visitOf, pageAt: createPageFinder(table, visitOf), text }
}

/** CSP Level 3, section 2.3.1 (hash-source). */
const scriptsIn = (html: string): string[] =>
  [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )

const templateStart = '<template id="later">'
const templateEnd = '</template>'

/**
 * The parts of the built page before and after the files of an address. A page with a frame has its scripts in a
 * template, from which no file is fetched before the page's own script inserts them into the document.
 */
function splitPage(html: string) {
  const at = html.indexOf('</body>')
  const content = at < 0 ? html : html.slice(0, at)
  const [body = '', scripts = '', end = ''] = content.split(
    new RegExp(`${templateStart}(.*?)${templateEnd}`, 's'),
  )
  const [beforeFrame = '', frame = '', afterFrame = ''] = body.split(/<!--\/?frame-->/)
  return {
    framed: {
      start: beforeFrame + frame + afterFrame + templateStart,
      end: scripts + templateEnd + end,
    },
    bare: { start: beforeFrame + afterFrame, end: scripts + end },
    bodyEnd: html.slice(content.length),
  }
}

function patternOf(address: string) {
  const names = [...address.matchAll(/\$(\w+)/g)].map(([, name = '']) => name)
  const source = address.replace(/^\/$/, '').replaceAll(/\$\w+/g, '([^/]+)')
  return { names, pattern: new RegExp(`^${source}/?$`) }
}

/** Null if a part of a path is no valid encoding. */
function decoded(parts: string[]): string[] | null {
  try {
    return parts.map((part) => decodeURIComponent(part))
  } catch {
    return null
  }
}

// A browser does not run scripts of this type. Without `<` the text cannot end it or begin a comment.
const asScript = (answers: readonly FirstAnswer[]) =>
  `<script type="application/json" id="first-answers">${JSON.stringify(answers).replaceAll('<', '\\u003c')}</script>\n`
