import { expect, it } from 'vitest'
import { orderOf, shownSilos, type Silo } from './siloRows.ts'

const silo = (siloName: string, used: number, quota: number): Silo => ({
  siloId: siloName,
  siloName,
  provisioned: { cpus: used, memory: 0, storage: 0 },
  allocated: { cpus: quota, memory: 0, storage: 0 },
})
const all = [silo('research', 4, 32), silo('engineering', 24, 1024), silo('mail', 4, 2)]
const namesBy = (column: string, descending = false, find = '') =>
  shownSilos(all, find, { column, descending }).map(({ siloName }) => siloName)

it('orders silos by name, by what they use, and by what is left, the same ones by name', () => {
  expect(namesBy('name')).toEqual(['engineering', 'mail', 'research'])
  expect(namesBy('name', true)).toEqual(['research', 'mail', 'engineering'])
  expect(namesBy(orderOf.used('cpus'), true)).toEqual(['engineering', 'mail', 'research'])
  expect(namesBy(orderOf.left('cpus'))).toEqual(['mail', 'research', 'engineering'])
})

it('keeps what an address cannot mean by name, and those that match alone', () => {
  expect(namesBy('colour_of')).toEqual(['engineering', 'mail', 'research'])
  expect(namesBy('name', false, 'ear')).toEqual(['research'])
})
