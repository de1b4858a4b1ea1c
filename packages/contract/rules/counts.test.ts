import { describe, expect, it } from 'vitest'
import { countNames, counts, holdersOf, readCounts } from './counts.ts'

describe('the limits that operators set', () => {
  it('replace those that they name, and no others', () => {
    const all = readCounts('vpc-per-project=20, ssh-key-per-user=3')
    expect(all.vpc).toEqual({ ...counts.vpc, project: 20 })
    expect(all.sshKey).toEqual({ siloUser: 3 })
    expect(all.disk).toEqual(counts.disk)
    expect(readCounts('')).toEqual(counts)
  })

  it('are refused with the nearest valid name', () => {
    expect(() => readCounts('vpcs=1')).toThrow('"vpcs" is none of ssh-key-per-user, second-factor-per-user')
    for (const value of ['', '=', '=x', '=-1', '=1.5', '=1e9'])
      expect(() => readCounts(`vpc-per-silo${value}`)).toThrow('vpc-per-silo must be a whole number')
  })

  it('have a name each', () => {
    expect(new Set(countNames.map((one) => one.name)).size).toBe(countNames.length)
    expect(holdersOf(counts, 'silo')).toEqual([])
  })
})
