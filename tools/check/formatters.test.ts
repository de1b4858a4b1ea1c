import { expect, it } from 'vitest'
import { checkFormatters } from './formatters.ts'

it('finds a formatter that is made while a module is loaded', () => {
  const path = 'apps/console/src/features/reasons.tsx'
  const [problem] = checkFormatters([{ path, text: "\nconst or = new Intl.ListFormat('en')\n" }]).problems
  expect(problem).toContain(`${path} makes or`)
  const later = "const or = lazily(() => new Intl.ListFormat('en'))\n"
  expect(checkFormatters([{ path, text: later }]).problems).toEqual([])
})
