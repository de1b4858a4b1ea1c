import { expect, it } from 'vitest'
import { checkWidths } from './widths.ts'

it('finds classes for widths that the theme does not have', () => {
  const path = 'apps/console/src/ui/table/Pagination.tsx'
  const [problem] = checkWidths([{ path, text: '<p className="flex max-sm:sr-only">' }]).problems
  expect(problem).toContain('max-sm:sr-only does nothing')
  const text = '<p className="max-split:sr-only @lg:grid-cols-2">'
  expect(checkWidths([{ path, text }]).problems).toEqual([])
})
