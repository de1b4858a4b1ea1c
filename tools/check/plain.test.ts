import { expect, it } from 'vitest'
import { checkPlainSuites } from './plain.ts'

it('wants the suite of plain resources for each kind that has their handlers', () => {
  const disks = {
    path: 'packages/core/resources/storage/disks.ts',
    text: "export const disks = plain('disk', {",
  }
  const suite = { path: 'packages/core/resources/storage/disks.test.ts', text: "plainSuite(\n  'disk', {" }
  expect(checkPlainSuites([disks, suite]).problems).toEqual([])
  const [problem] = checkPlainSuites([disks, { ...suite, text: "plainSuite('vpc')" }]).problems
  expect(problem).toContain("plainSuite('disk') in packages/core/resources/storage/disks.test.ts")
})
