import { expect, it } from 'vitest'
import { groupsOf } from './marks.ts'

const marks = [30, 5, 10, 11, 12, 100].map((at) => ({ id: String(at), at, title: 'Stopped instance' }))
const times = (gap: number) =>
  groupsOf(marks, { start: 10, end: 99 }, gap).map((all) => all.map(({ at }) => at))

it('marks of a range are in order, and one where they would cover each other', () => {
  expect(times(1)).toEqual([[10], [11], [12], [30]])
  expect(times(2)).toEqual([[10, 11], [12], [30]])
  expect(times(20)).toEqual([[10, 11, 12], [30]])
  expect(times(90)).toEqual([[10, 11, 12, 30]])
})
