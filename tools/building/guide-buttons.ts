/** The names in the guide of buttons, tabs and pages, and the texts in the sources of the console. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { kinds } from '@purlin/contract/rules/kinds'
import { root } from '../repo.ts'

/** The bold texts of a page: `**System → Sleds**` has two. A sentence that is bold ends with a full stop. */
export const buttonsIn = (markdown: string): string[] =>
  [...markdown.replaceAll(/```[^]*?```|`[^`\n]*`/g, '').matchAll(/\*\*([^*]+)\*\*/g)]
    .flatMap(([, text = '']) => text.split(' → '))
    .filter((name) => !name.endsWith('.'))

const sources = ['apps/console/src/**/*.{ts,tsx}', 'packages/contract/{kinds,rules}/**/*.ts']
const literals = /'((?:[^'\\\n]|\\.)*)'|"([^"\n]*)"|`([^`]*)`|>\s*([^<>{}]+?)\s*</g
const verbs = ['new', 'create', 'edit', 'delete']

/** The texts in the sources, in lower case, and those made of the name of a kind. */
export function textsOfConsole(): Set<string> {
  const texts = new Set(
    Object.values(kinds).flatMap(({ noun }) => verbs.map((verb) => `${verb} ${noun.toLowerCase()}`)),
  )
  for (const file of globSync(sources, { cwd: root }))
    for (const [, ...found] of readFileSync(join(root, file), 'utf8').matchAll(literals))
      texts.add(found.join('').replaceAll(/\s+/g, ' ').trim().toLowerCase())
  return texts
}
