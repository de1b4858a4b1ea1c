import { type Finding, isCode, type TextFile } from './files.ts'

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

/** A comment or test title that begins with a relative clause: it has no subject. Questions end with a question mark. */
const HEADLESS =
  /^\s*(?:\/\*\*?|\/\/|\*) +(?:What|Who|Whose|Whom)\b(?!.*\?)|\b(?:it|describe|rule|test)\(\s*['"`](?:what|who)\b/

/** The name of an act in title case: places are names ('IP Pools'), acts are sentences ('New IP pool'). */
const TITLE_CASE =
  /['"`>]((?:New|Add|Create|Collect|Edit|Delete|Remove|Link|Unlink|Attach|Detach|Upload|Import|Move|Rename|Start|Stop|Make)(?: [a-z]+)* (?!Purlin\b)[A-Z][a-z]+)\b/g

const isOurs = (path: string) =>
  /\.(ts|tsx|css|html|md|mjs|js)$/.test(path) && !/\.(gen|golden)\.|^tools\/check\/english\./.test(path)

/** The words of a text that the house style refuses, with their lines. */
export const worstWords = (text: string): { line: number; word: string }[] =>
  text.split('\n').flatMap((line, i) => [...line.matchAll(PATTERN)].map(([word]) => ({ line: i + 1, word })))

/** The lines whose comment or test title begins with a relative clause. */
export const headlessLines = (text: string): number[] =>
  text.split('\n').flatMap((line, i) => (HEADLESS.test(line) ? [i + 1] : []))

/** The acts in title case of a text of the console, with their lines. */
export const titleCaseActs = (text: string): { line: number; act: string }[] =>
  text
    .split('\n')
    .flatMap((line, i) => [...line.matchAll(TITLE_CASE)].map(([, act = '']) => ({ line: i + 1, act })))

/** Comments, screen texts, test titles, names and documents use plain words, and comments begin with a subject. */
export function checkEnglish(files: TextFile[]): Finding {
  const texts = files.filter(({ path }) => isOurs(path))
  const words = texts.flatMap(({ path, text }) =>
    worstWords(text).map(
      ({ line, word }) => `${path}: "${word}" in line ${line}; write ${WORST[word.toLowerCase()]}`,
    ),
  )
  const clauses = texts
    .filter(({ path }) => isCode(path))
    .flatMap(({ path, text }) =>
      headlessLines(text).map(
        (line) => `${path}: line ${line} begins with a relative clause; name its subject`,
      ),
    )
  const acts = texts
    .filter(({ path }) => isCode(path) && path.startsWith('apps/console/src/'))
    .flatMap(({ path, text }) =>
      titleCaseActs(text).map(
        ({ line, act }) => `${path}: "${act}" in line ${line}; write acts in sentence case`,
      ),
    )
  const problems = [...words, ...clauses, ...acts]
  return { name: 'English', said: `${texts.length} files use plain words`, problems, figures: {} }
}
