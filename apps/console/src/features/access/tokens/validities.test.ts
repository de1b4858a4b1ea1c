import { expect, it } from 'vitest'
import { daySeconds, validitiesWithin } from './validities.ts'

const labelsWithin = (most: number | null) => validitiesWithin(most).map(({ label }) => label)

it('offers what a silo allows, its maximum once', () => {
  expect(labelsWithin(3600)).toEqual(['1 hour'])
  expect(labelsWithin(30 * daySeconds)).toEqual(['7 days', '30 days'])
  expect(labelsWithin(31 * daySeconds)).toEqual(['7 days', '30 days', '31 days'])
  expect(labelsWithin(null).slice(-2)).toEqual(['2 years', 'No end'])
})
