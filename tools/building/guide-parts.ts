/** Data of the program that the guide shows. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { alertClasses } from '@purlin/contract/rules/alerts/classes'
import { countNames } from '@purlin/contract/rules/counts'
import { kinds } from '@purlin/contract/rules/kinds'
import { apiPages, type Examples, type OpenApi } from '@purlin/guide/api'
import type { GuideParts } from '@purlin/guide/build'
import { flagRows } from '@purlin/server/process/config'
import { allLimits } from '../openapi-limits.ts'
import { openApiDocument } from '../openapi.ts'
import { root } from '../repo.ts'
import { errorTables } from './guide-errors.ts'

/** All that a guide is built from, for a folder to build it into. */
export function guideParts(out: string): GuideParts {
  const document = openApiDocument()
  const examples = readExamples()
  const lists = {
    glossary: glossary(),
    flags: tableOf(
      ['flag', 'meaning', 'default'],
      flagRows().map(({ flag, about, fallback }) => [code(flag), about, code(fallback)]),
    ),
    counts: tableOf(
      ['name', 'limit'],
      countNames.map(({ name, kind, holder, most }) => [
        code(name),
        `${most} of the kind ${kinds[kind].noun} per ${kinds[holder].noun}`,
      ]),
    ),
    limits: tableOf(
      ['name', 'limit'],
      flatten(allLimits)
        .filter(([name]) => !name.startsWith('counts.'))
        .map(([name, value]) => [code(name.replace('requests.', '')), value]),
    ),
    alerts: tableOf(
      ['class', 'begins when'],
      alertClasses.map(({ name, description }) => [code(name), description]),
    ),
    errors: errorTables(),
  }
  return { root, out, document, api: apiPages(document as unknown as OpenApi, examples), lists }
}

/** The requests that the test of all operations has sent. */
export const readExamples = (): Examples =>
  JSON.parse(readFileSync(join(root, 'packages/core/http/examples.golden.json'), 'utf8')) as Examples

/** The entries of the glossary, each as a paragraph. */
function glossary(): string {
  const [, entries = ''] = readFileSync(join(root, 'docs/glossary.md'), 'utf8').split('# Glossary\n')
  return entries.replaceAll(/^(\*\*)/gm, '\n$1').replaceAll(/(\. )(\*\*[A-Z])/g, '$1\n\n$2')
}

const code = (text: string) => (text === '' ? '' : `\`${text}\``)

const tableOf = (heads: string[], rows: string[][]): string =>
  [heads, heads.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((one) => one.replaceAll('|', String.raw`\|`)).join(' | ')} |`)
    .join('\n')

/** `{ a: { b: 1 } }` → `[['a.b', '1']]` */
function flatten(value: object, above = ''): [string, string][] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    const name = above === '' ? key : `${above}.${key}`
    if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) return flatten(inner, name)
    return [[name, Array.isArray(inner) ? inner.join(', ') : String(inner)] as [string, string]]
  })
}
