import type { Finding, TextFile } from './files.ts'

/** Words and phrases that slow a reader down, each with a plain replacement. */
const WORST: Readonly<Record<string, string>> = {
  told: 'notified, shown, reported',
  nobody: 'no user, no client',
  somebody: 'a user, another user',
  everybody: 'every user',
  whoever: 'the caller, a user who',
  beside: 'next to, in addition to, at the same time as',
  meanwhile: 'during this, at the same time, since then',
  'of its own': 'separate, its',
  'of their own': 'separate, their',
  'so many': 'that many, this number of',
  anew: 'again',
}
const PATTERN = new RegExp(`(?<![\\w-])(?:${Object.keys(WORST).join('|')})(?![\\w-])`, 'gi')

const isOurs = (path: string) =>
  /\.(ts|tsx|css|html|md|mjs|js)$/.test(path) && !/\.(gen|golden)\.|^tools\/check\/english\./.test(path)

/** The words of a text that the house style refuses, with their lines. */
export const worstWords = (text: string): { line: number; word: string }[] =>
  text.split('\n').flatMap((line, i) => [...line.matchAll(PATTERN)].map(([word]) => ({ line: i + 1, word })))

/** Comments, screen texts, test titles, names and documents use plain words. */
export function checkEnglish(files: TextFile[]): Finding {
  const texts = files.filter(({ path }) => isOurs(path))
  const problems = texts.flatMap(({ path, text }) =>
    worstWords(text).map(
      ({ line, word }) => `${path}: "${word}" in line ${line}; write ${WORST[word.toLowerCase()]}`,
    ),
  )
  return { name: 'English', said: `${texts.length} files use plain words`, problems, figures: {} }
}
