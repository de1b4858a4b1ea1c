import { expect, it } from 'vitest'
import { identiconCells } from './identicon.ts'

it('a picture depends on the name only', () => {
  expect(identiconCells('engineering')).toEqual(identiconCells('engineering'))
  expect(identiconCells('engineering')).not.toEqual(identiconCells('research'))
})
it('a picture is symmetric', () => {
  const cells = new Set(identiconCells('engineering').map(({ x, y }) => `${x},${y}`))
  for (const cell of cells) {
    const [x, y] = cell.split(',').map(Number)
    expect(cells.has(`${4 - (x ?? 0)},${y}`)).toBe(true)
  }
})
