import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'

/** A text file of the repository; `path` is relative to its root. */
export interface TextFile {
  path: string
  text: string
}

/** The result of a check: `said` is its one line; `problems` is empty if all is well. */
export interface Finding {
  name: string
  said: string
  problems: string[]
  figures: Record<string, number>
}

const TEXT = /\.(ts|tsx|mts|js|mjs|css|html|json|jsonc|md|sh|svg|yml|yaml|txt)$|^\.ci\/|^LICENSE$/

/** All text files that git knows or would add. Lock files are machine-made and not among them. */
export function repositoryFiles(root: string): TextFile[] {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const paths = execFileSync('git', list, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\0')
  return paths
    .filter((path) => TEXT.test(path) && path !== 'package-lock.json')
    .filter((path) => statSync(join(root, path), { throwIfNoEntry: false })?.isFile())
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/** The calls that a pattern finds up to their opening bracket: where they begin, and the text of their arguments. */
export const callsOf = (text: string, opening: RegExp): { at: number; given: string }[] =>
  [...text.matchAll(opening)].map(({ index, 0: { length } }) => {
    let depth = 1
    let end = index + length
    for (; depth > 0 && end < text.length; end++) {
      if ('([{'.includes(text[end] ?? '')) depth++
      if (')]}'.includes(text[end] ?? '')) depth--
    }
    return { at: index, given: text.slice(index + length, depth > 0 ? end : end - 1) }
  })

/** TypeScript that people wrote. */
export const isCode = (path: string) => ['.ts', '.tsx'].includes(extname(path)) && !path.endsWith('.gen.ts')

/** Code that tests, and what only tests use. */
export const isTest = (path: string) =>
  /\.test\.tsx?$|^e2e\/|^packages\/\w+\/testing\/|^packages\/sleds\/suite\//.test(path)

/** Tables rather than code: long by nature. */
const isTable = (path: string) =>
  /^packages\/contract\/(operations|schemas)\/|^packages\/core\/db\/(migrations|tables)|^packages\/core\/seed\//.test(
    path,
  )

/** Whether the limit of a file's length does not count. */
export const mayBeLong = (path: string) => isTest(path) || isTable(path)

export const lineCount = (text: string) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0)

/** The value below which `share` of the numbers lie; 0 of none. */
export function quantile(numbers: number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
