import { isCode, isTest, lineCount, type Finding, type TextFile } from './files.ts'
import { limits } from './shape.ts'

const CAST = /[\w)\]}"'`!] as (?!const\b)[A-Za-z{(["']/g

/** The type assertions in a file, without `as const`, the renaming of imports and exports, comments and texts. */
export function castsIn(text: string): number {
  const code = text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/(^|\s)\/\/.*/g, '')
    .replaceAll(/\b(?:import|export)\b[^;=]*?\bfrom\b/g, '')
    .replaceAll(/'[^'\n]*'/g, '""')
  return code.match(CAST)?.length ?? 0
}

/** How often code asserts a type that the compiler does not know, for 1 000 lines. */
export function countCasts(files: TextFile[]): Finding {
  const code = files.filter(({ path }) => isCode(path) && !isTest(path))
  const casts = code.reduce((sum, { text }) => sum + castsIn(text), 0)
  const lines = code.reduce((sum, { text }) => sum + lineCount(text), 0)
  const perThousand = Math.round((10_000 * casts) / Math.max(1, lines)) / 10
  return {
    name: 'casts',
    said: `${casts} type assertions, ${perThousand} for 1 000 lines of code (aim 3)`,
    problems:
      perThousand > limits.castsPerThousandLines
        ? [`${perThousand} for 1 000 lines of code; the limit is ${limits.castsPerThousandLines}`]
        : [],
    figures: { casts, castsPerThousandLines: perThousand },
  }
}
