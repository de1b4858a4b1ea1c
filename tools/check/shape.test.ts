import { describe, expect, it } from 'vitest'
import { excesses, functionShapes } from './shape.ts'

const shapes = (text: string, path = 'a.ts') => functionShapes({ path, text })

describe('measuring functions', () => {
  it('counts lines, parameters and levels', () => {
    const text = 'const f = (a, b) => {\n  for (;;) {\n    if (a) b()\n  }\n}\n'
    expect(shapes(text)).toEqual([
      { name: 'f', line: 1, lines: 5, depth: 2, parameters: 2, isComponent: false },
    ])
  })

  it('takes a chain of else if as one level, and starts again in an inner function', () => {
    const chain = 'function f(a) { if (a) g(); else if (b) h(); else if (c) i() }'
    expect(shapes(chain)[0]?.depth).toBe(1)
    const inner = 'function f() { if (a) { if (b) { g(() => { if (c) h() }) } } }'
    expect(shapes(inner).map(({ depth }) => depth)).toEqual([2, 1])
  })

  it('knows components by their markup, methods by their key', () => {
    expect(shapes('export function Page() { return <p /> }', 'a.tsx')[0]).toMatchObject({ isComponent: true })
    expect(shapes('class A { open(this: A, a: 1) {} }')[0]).toMatchObject({ name: 'open', parameters: 1 })
  })

  it('gives components more lines than functions', () => {
    const shape = { name: 'f', line: 1, lines: 100, depth: 0, parameters: 0 }
    expect(excesses({ ...shape, isComponent: true })).toEqual([])
    expect(excesses({ ...shape, isComponent: false })).toEqual(['100 lines; the limit is 80'])
    expect(excesses({ ...shape, lines: 1, depth: 4, parameters: 4, isComponent: false })).toHaveLength(2)
  })
})
