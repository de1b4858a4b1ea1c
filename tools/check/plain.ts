import { kindOf, kindNames } from '@purlin/contract/rules/kinds'
import type { Finding, TextFile } from './files.ts'

const HANDLERS = /\bplain\(\s*'(\w+)'/g
const SUITE = /\bplainSuite\(\s*'(\w+)'/g

/** Kinds that the suite cannot make any number of, and why. Those without names have none of its rules. */
const exceptions: Readonly<Record<string, string>> = {
  networkInterface:
    'an instance has at most one in each subnet, and the first cannot be deleted before the others',
}
const isExcepted = (kind: string): boolean => {
  const known = kindNames.find((name) => name === kind)
  return kind in exceptions || (known !== undefined && kindOf(known).isNamed === false)
}

const named = (pattern: RegExp, { path, text }: TextFile) =>
  [...text.matchAll(pattern)].map(([, kind = '']) => ({ kind, path }))

/** Every kind with the handlers of plain resources passes their suite. */
export function checkPlainSuites(files: TextFile[]): Finding {
  const ours = files.filter(({ path }) => /^packages\/core\/resources\/.*\.ts$/.test(path))
  const tested = new Set(ours.flatMap((file) => named(SUITE, file)).map(({ kind }) => kind))
  const plain = ours.flatMap((file) => named(HANDLERS, file))
  const problems = plain
    .filter(({ kind }) => !tested.has(kind) && !isExcepted(kind))
    .map(({ kind, path }) => {
      const test = path.replace(/\.ts$/, '.test.ts')
      return `${path} has the handlers of a plain resource, but no test runs their suite: write plainSuite('${kind}') in ${test}`
    })
  return { name: 'plain resources', said: `${plain.length} pass their suite`, problems, figures: {} }
}
