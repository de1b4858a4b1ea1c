import { describe, expect, it } from 'vitest'
import { namesIn } from './slots.ts'
import { bytesOf } from './texts.ts'
import { fillTemplate, templateProblem, valueProblem, type TemplateField } from './template.ts'

const field = (name: string, more: Partial<TemplateField> = {}): TemplateField => ({
  name,
  type: 'text',
  ...more,
})
const config = (...lines: string[]) => ['#cloud-config', ...lines, ''].join('\n')
const keys = [
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOnqPq0Bx62s1zG+kKN9dXpYrX5HbeYXI5591UAt47sZ anna@laptop',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g',
]

describe('a template filled in', () => {
  it('has its values in quotes, and the rest as it was', () => {
    const text = config(
      '# The host',
      'hostname: <<<host>>>',
      'fqdn:  web-<<<host>>>.example # of <<<host>>>',
      "motd: 'it''s <<<host>>>'",
      'packages: [nginx, <<<package>>>]',
    )
    const template = { text, fields: [field('host'), field('package')] }
    expect(templateProblem(template)).toBeUndefined()
    expect(fillTemplate(template, { host: 'a"b: c', package: 'curl' })).toBe(
      config(
        '# The host',
        'hostname: "a\\"b: c"',
        'fqdn:  "web-a\\"b: c.example" # of <<<host>>>',
        'motd: "it\'s a\\"b: c"',
        'packages: [nginx, "curl"]',
      ),
    )
  })

  it('has lines with the indentation of their block', () => {
    const text = config(
      'write_files:',
      '- path: /etc/motd',
      '  content: | # shown',
      '    # <<<greeting>>>',
      '      end',
      '',
      'runcmd: [[sh, /a]]',
    )
    const template = { text, fields: [field('greeting', { type: 'lines' })] }
    expect(fillTemplate(template, { greeting: 'one\n  two\n\nkey: three' })).toBe(
      text.replace('<<<greeting>>>', 'one\n      two\n\n    key: three'),
    )
  })

  it('has SSH keys as a list where they are a value, and as lines inside of a text', () => {
    const text = config(
      'ssh_authorized_keys: <<<keys>>>',
      'a: "<<<keys>>>"',
      'b: |',
      '  # mine',
      '  <<<keys>>>',
    )
    const template = { text, fields: [field('keys', { type: 'ssh_keys' })] }
    expect(templateProblem(template)).toBeUndefined()
    const list = `["${keys.join('", "')}"]`
    expect(fillTemplate(template, { keys: `\n ${keys.join('\n')}\n` })).toBe(
      config(
        `ssh_authorized_keys: ${list}`,
        `a: "${keys.join('\\n')}"`,
        'b: |',
        '  # mine',
        ...keys.map((key) => `  ${key}`),
      ),
    )
    expect(fillTemplate(template, {})).toContain('ssh_authorized_keys: []\n')
  })

  it('has them as they are in a script, where the shell and Jinja keep their signs', () => {
    const text = '#!/bin/sh\necho "${HOME}" $((1 << 2)) {{ x }} \'<<<host>>>\' <<EOF >>/etc/hosts\n'
    expect(fillTemplate({ text, fields: [field('host')] }, { host: '<<<host>>> $&' })).toBe(
      text.replace('<<<host>>>', () => '<<<host>>> $&'),
    )
  })
})

describe('a template is refused', () => {
  it.each([
    ['invalid YAML', config('a: [b'), [], /^text: line 3: /],
    ['settings without names', config('- a'), [], /^text: line 2: it must have settings/],
    [
      'brackets without end',
      config(`a: ${'['.repeat(201)}`),
      [],
      'text: more than 200 brackets are open at once',
    ],
    [
      'a placeholder without a field',
      config('a: b', 'c: <<<Host>>>'),
      [],
      'text: line 3: there is no field Host',
    ],
    ['one in a block', config('c: |', '  a', '  <<<host>>>'), [], 'text: line 4: there is no field host'],
    ['one in a script', '#!/bin/sh\n<<<host>>>', [], 'text: line 2: there is no field host'],
    [
      'a field without a placeholder',
      config('# <<<host>>>'),
      [field('host')],
      'fields: the text does not have <<<host>>>',
    ],
    ['a field as a name', config('<<<host>>>: b'), [field('host')], /^text: line 2: a field can be a value/],
    [
      'a field with a tag',
      config('a: !!binary <<<host>>>'),
      [field('host')],
      /^text: line 2: a field can have no tag/,
    ],
    [
      'two fields with a name',
      config('a: <<<host>>>'),
      [field('host'), field('host')],
      'fields: host is there twice',
    ],
    [
      'a list in a list',
      config('a:', '- <<<k>>>'),
      [field('k', { type: 'ssh_keys' })],
      /^text: line 3: k is a list already/,
    ],
    ['Jinja', `## template: jinja\n${config('a: <<<host>>>')}`, [field('host')], /^text: line 3: Jinja/],
    [
      'a secret with a default',
      config('a: <<<s>>>'),
      [field('s', { type: 'secret', default: 'x' })],
      /^fields: s is a secret/,
    ],
    [
      'a bad default',
      config('a: <<<s>>>'),
      [field('s', { default: 'a\nb' })],
      /^fields: the default of s is invalid: it can have one line/,
    ],
    ['a long text', 'é'.repeat(16_385), [], 'text: it can have at most 32 KiB'],
  ])('%s', (_, text, fields, expected) => {
    const problem = templateProblem({ text, fields })
    expect(`${problem?.part}: ${problem?.reason}`).toMatch(expected)
  })
  it.each([
    ['Jinja without fields', `## template: jinja\n${config('a: {{ b }}')}`],
    ['a list of parts', '#cloud-config-archive\n- content: a'],
    ['no text', ''],
  ])('%s is not', (_, text) => expect(templateProblem({ text, fields: [] })).toBeUndefined())
})

it('a text has the fields of its placeholders, once each, and none in comments', () => {
  expect(namesIn(config('# <<<no>>>', 'a: <<<x>>>-<<<y>>>', 'b: [<<<x>>>]'))).toEqual(['x', 'y'])
  expect(namesIn(config('a: [<<<x>>>', 'b: <<<y>>>'))).toEqual(['x', 'y'])
  expect(namesIn('#!/bin/sh\necho <<<x>>> <<< word >>> <<EOF')).toEqual(['x'])
  expect(namesIn('')).toEqual([])
})

it('a value has the characters and lines of its type', () => {
  expect(valueProblem({ type: 'text' }, '')).toBeUndefined()
  expect(valueProblem({ type: 'text', required: true }, ' ')).toBe('a value is needed')
  expect(valueProblem({ type: 'secret' }, 'a\nb')).toBe('it can have one line only')
  expect(valueProblem({ type: 'lines' }, 'a\n\tb 🙂')).toBeUndefined()
  for (const sign of ['\0', '\r', '\u001b', '\u0085', '\u2028', '\ufeff', '\uffff', '\ud800'])
    expect(valueProblem({ type: 'lines' }, `a${sign}`)).toBe('it can have no control characters')
  expect(valueProblem({ type: 'lines' }, 'é'.repeat(8193))).toBe('it can have at most 16 KiB')
  expect(valueProblem({ type: 'ssh_keys' }, `${keys[0]}\n\n${keys[1]}\n`)).toBeUndefined()
  expect(valueProblem({ type: 'ssh_keys' }, `${keys[0]}\nnone`)).toMatch(/key/)
})

it('bytes are counted as UTF-8 has them', () => {
  for (const text of ['', 'a', 'é', '€', '🙂', 'a\ud800'])
    expect(bytesOf(text)).toBe(Buffer.from(text).length)
})
