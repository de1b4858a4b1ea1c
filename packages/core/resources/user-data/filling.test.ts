/** Values in templates of user data: YAML reads each of them as it was entered, and nothing else changes. */
import { fillTemplate, templateProblem, valueProblem } from '@purlin/contract/rules/user-data/template'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import fc from '#/testing/properties.ts'

const read = (text: string): unknown => parse(text, { version: '1.1', uniqueKeys: false })

/** Many of these end a text, begin a setting, or are read as something else. */
const signs = [
  'a/ /  /\n/\t/: /- /#/"/\'/\\/{/}/[/]/,/&x/*x/!/|/>/%/@/`/---/.../yes/007/{{ x }}/$x/~/?/=/<<',
  'é/🙂/\u00A0/\u202E',
].flatMap((some) => some.split('/'))
const texts = fc.oneof(
  fc.array(fc.constantFrom(...signs), { maxLength: 12 }).map((some) => some.join('')),
  fc.string({ unit: 'binary', maxLength: 40 }),
)
const values = fc
  .oneof(texts, fc.constant('<<<host>>>'))
  .filter((value) => valueProblem({ type: 'lines' }, value) === undefined)

/** A text with a value in it, and the way to write that. */
interface Written {
  before: string
  after: string
  scalar: string
}
const inQuotes = fc.tuple(texts, texts).map(([before, after]): Written => {
  return { before, after, scalar: JSON.stringify(`${before}<<<host>>>${after}`) }
})
const printable = texts.map((text) => text.replaceAll(/[^\u0020-\u007e]/g, ''))
const inSingleQuotes = fc.tuple(printable, printable).map(([before, after]): Written => {
  return { before, after, scalar: `'${`${before}<<<host>>>${after}`.replaceAll("'", "''")}'` }
})
const plain = fc
  .constantFrom('', 'web-', 'file:///', 'a b ')
  .map((before): Written => ({ before, after: '', scalar: `${before}<<<host>>>` }))

/** Documents with a text, next to other settings. */
const documents = fc.constantFrom(
  (scalar: string) => `at: ${scalar}\nb: c\n`,
  (scalar: string) => `at: ${scalar}  # <<<no-field>>>\nb: c\n`,
  (scalar: string) => `at: &anchor ${scalar}\nb: *anchor\n`,
  (scalar: string) => `at: !!str ${scalar}\nb: c`,
  (scalar: string) => `list: [${scalar}, b]\n`,
  (scalar: string) => `map: {a: ${scalar}, b: c}\n`,
  (scalar: string) => `list:\n- b\n- ${scalar}\n`,
  (scalar: string) => `deep:\n  - a: ${scalar}\n    b:\n      c: d`,
  (scalar: string) => `at:\n    ${scalar}\nb: c`,
)

const fields = [{ name: 'host', type: 'lines' }] as const

/** A value that was read, with a text in it replaced. */
function replaced(one: unknown, [from, to]: readonly [string, string]): unknown {
  if (typeof one === 'string') return one === from ? to : one
  if (Array.isArray(one)) return one.map((inner) => replaced(inner, [from, to]))
  if (typeof one !== 'object' || one === null) return one
  return Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, replaced(inner, [from, to])]))
}

it('keeps each value inside of the text that it is a part of', () => {
  const scalars = fc.oneof(inQuotes, inSingleQuotes, plain)
  fc.assert(
    fc.property(scalars, documents, values, ({ before, after, scalar }, document, value) => {
      const text = `#cloud-config\n${document(scalar)}`
      expect(templateProblem({ text, fields })).toBeUndefined()
      const marked = read(`#cloud-config\n${document('the-value')}`)
      const expected = replaced(marked, ['the-value', before + value + after])
      expect(read(fillTemplate({ text, fields }, { host: value }))).toEqual(expected)
    }),
    { numRuns: 2000 },
  )
})

const lines = fc.array(
  fc.constantFrom('a', '  a', 'if x: y', '# c', '', 'é "q"', '\ta', '- b', "it's", 'x <<EOF'),
  { maxLength: 3 },
)
const blocks = fc.record({
  head: fc.constantFrom('|', '|-', '|+', '>', '>-', '>+', '|  # why'),
  indent: fc.constantFrom('   ', '    ', '          '),
  end: fc.constantFrom('', '\n', '\n\n', '\n\n\n'),
  before: fc.constantFrom('', 'x ', '  '),
  after: fc.constantFrom('', ' y', '  '),
  above: lines,
  below: lines,
})

it('keeps each value inside of a block, which is read as it was', () => {
  fc.assert(
    fc.property(blocks, values, ({ head, indent, end, before, after, above, below }, value) => {
      const inside = ['b', ...above, `${before}<<<host>>>${after}`, ...below]
      const block = inside.map((line) => (line === '' ? '' : indent + line)).join('\n')
      const text = `#cloud-config\nat:\n- a: b\n  content: ${head}\n${block}${end}${end && 'next: 1'}`
      expect(templateProblem({ text, fields })).toBeUndefined()
      const { at, ...next } = read(text) as { at: { content: string }[] }
      const content = at[0]?.content.split('<<<host>>>').join(value)
      const filled = read(fillTemplate({ text, fields }, { host: value }))
      expect(filled).toEqual({ at: [{ a: 'b', content }], ...next })
    }),
    { numRuns: 2000 },
  )
})
