import { describe, expect, it } from 'vitest'
import { isMissing, mentions, wrongHeading } from './docs.ts'

const existing = new Set(['packages', 'packages/core', 'packages/core/http/dispatch.ts', 'docs', 'docs/a.md'])
const missing = (text: string, isLink = false) => isMissing({ text, isLink }, 'docs/b.md', existing)

describe('paths in documents', () => {
  it('finds words in backticks and links, but not code blocks', () => {
    const text = 'See `a.ts` and [b](b.md#c).\n```sh\nrun `x.ts`\n```\n'
    expect(mentions(text)).toEqual([
      { text: 'a.ts', isLink: false },
      { text: 'b.md#c', isLink: true },
    ])
  })

  it('wants every path that looks like ours to exist', () => {
    expect(
      ['packages/core', 'packages/core/', 'core/http/dispatch.ts', 'dispatch.ts'].filter((t) => missing(t)),
    ).toEqual([])
    expect(['packages/gone', 'core/gone.ts', 'gone.ts'].filter((t) => missing(t))).toHaveLength(3)
  })

  it('leaves other words alone', () => {
    expect(
      ['npm start', '/v1/disks', '@purlin/core', 'read/write', 'docs/NNNN-title.md'].filter((t) =>
        missing(t),
      ),
    ).toEqual([])
  })

  it('follows links from where they stand', () => {
    expect(missing('a.md', true)).toBe(false)
    expect(missing('../packages/core', true)).toBe(false)
    expect(missing('#part', true)).toBe(false)
    expect(missing('gone.md#part', true)).toBe(true)
  })
})

it('a decision record begins with its number and title, and has a context, a choice and what was given up', () => {
  const path = 'docs/decisions/0007-dependencies.md'
  const parts = '\n**Context.** A\n\n**Choice.** B\n\n**Given up.**\n\n- C\n'
  expect(wrongHeading({ path, text: `# 7. Dependencies\n${parts}` })).toBeUndefined()
  expect(wrongHeading({ path, text: `# 7. Dependencies\n${parts.replace('Choice', 'Why')}` })).toMatch(
    'lacks Choice',
  )
  expect(wrongHeading({ path, text: '# 0007 Dependencies\n' })).toMatch('must begin with "# 7. "')
  expect(wrongHeading({ path: 'docs/style.md', text: '# House style\n' })).toBeUndefined()
})
