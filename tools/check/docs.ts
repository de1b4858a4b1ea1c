import { existsSync, globSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { type Finding, type TextFile } from './files.ts'

/** A path that a document names: `text` as written, `isLink` for the target of a link. */
export interface Mention {
  text: string
  isLink: boolean
}

const CODE_FENCE = /^```[\s\S]*?^```/gm
const HAS_EXTENSION = /\.(ts|tsx|js|mjs|md|json|css|html|sh|svg|sql|wasm)$/
const PLACEHOLDER = /[<>…{}]|NNNN|\.\.\.|\$/
/** Made by builds and runs, so it may be missing. */
const MADE = /(^|\/)(dist|dist-preview|node_modules|\.cache|\.data)(\/|$)|\.gen\.ts$/
const LINE_NUMBER = /\.(?:ts|tsx|js|css|md|json|sh):\d+|#L\d+|\blines? \d+/i

/** The parts of each decision record. */
const PARTS = ['Context', 'Choice', 'Given up']

const isDocument = (path: string) =>
  /^[A-Z]+\.md$/.test(path) || (path.startsWith('docs/') && path.endsWith('.md'))

/** The problem with the headings of a decision record; undefined if there is none, or if the file is no record. */
export function wrongHeading({ path, text }: TextFile): string | undefined {
  const number = /^docs\/decisions\/(\d{4})-[a-z0-9-]+\.md$/.exec(path)?.[1]
  if (number === undefined) return undefined
  const heading = text.split('\n', 1)[0] ?? ''
  const start = `# ${Number(number)}. `
  if (!heading.startsWith(start)) return `${path} must begin with "${start}" and its title`
  const missing = PARTS.filter(
    (part) => !text.includes(`\n**${part}.** `) && !text.includes(`\n**${part}.**\n`),
  )
  return missing.length === 0 ? undefined : `${path} lacks ${missing.join(', ')}`
}

/** The words in backticks and the targets of links, outside of code blocks. */
export function mentions(markdown: string): Mention[] {
  const prose = markdown.replaceAll(CODE_FENCE, '')
  const quoted = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => ({ text, isLink: false }))
  const links = [...prose.matchAll(/\]\(([^)\s]+)[^)]*\)/g)].map(([, text = '']) => ({ text, isLink: true }))
  return [...quoted, ...links]
}

/**
 * True if a mention names a path that does not exist. `existing` has all files and folders, relative to the repository.
 * Words that do not look like a path of ours are never missing.
 */
export function isMissing(mention: Mention, document: string, existing: ReadonlySet<string>): boolean {
  if (mention.isLink) {
    const [target = ''] = mention.text.split('#')
    // The build of the guide checks its addresses.
    if (!target || /^[a-z]+:|^\//.test(target)) return false
    return !existing.has(trim(normalize(join(dirname(document), target))))
  }
  const text = trim(mention.text)
  if (!/^[\w.@*/-]+$/.test(text) || text.startsWith('/') || text.startsWith('@') || PLACEHOLDER.test(text))
    return false
  const startsHere = text.includes('/') && existing.has(text.split('/')[0]!)
  if (!startsHere && !HAS_EXTENSION.test(text)) return false
  if (text.includes('*') || MADE.test(text)) return false
  return (
    !existing.has(text) &&
    !existing.has(`${text}.ts`) &&
    ![...existing].some((path) => path.endsWith(`/${text}`))
  )
}

const trim = (path: string) => path.replace(/^\.\//, '').replace(/\/$/, '')

/** Every path that a document names exists, no document names a line, and all records have the same headings. */
export function checkDocs(files: TextFile[], root: string): Finding {
  const existing = new Set(files.flatMap(({ path }) => [path, ...folders(path)]))
  for (const path of globSync('*', { cwd: root })) existing.add(path)
  const documents = files.filter(({ path }) => isDocument(path))
  const all = documents.flatMap(({ path, text }) => mentions(text).map((mention) => ({ path, mention })))
  const missing = all
    // Pictures are not among the text files, so check them on disk.
    .filter(
      ({ path, mention }) =>
        isMissing(mention, path, existing) &&
        ![root, join(root, dirname(path))].some((folder) => existsSync(join(folder, mention.text))),
    )
    .map(({ path, mention }) => `${path} names ${mention.text}, which does not exist`)
  const numbered = documents
    .filter(({ text }) => LINE_NUMBER.test(text))
    .map(({ path, text }) => `${path} names a line number: ${LINE_NUMBER.exec(text)?.[0]}`)
  const headings = documents.flatMap((document) => wrongHeading(document) ?? [])
  return {
    name: 'documents',
    said: `${documents.length} documents, ${all.length} words and links looked at`,
    problems: [...missing, ...numbered, ...headings],
    figures: { documents: documents.length },
  }
}

function folders(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'))
}
