import { expect, it } from 'vitest'
import { identiconCells } from './identicon.ts'

it('the same name has the same picture, another name another', () => {
  expect(identiconCells('engineering')).toEqual(identiconCells('engineering'))
  expect(identiconCells('engineering')).not.toEqual(identiconCells('research'))
})
it('a picture is its own mirror image', () => {
  const cells = new Set(identiconCells('engineering').map(({ x, y }) => `${x},${y}`))
  for (const cell of cells) {
    const [x, y] = cell.split(',').map(Number)
    expect(cells.has(`${4 - (x ?? 0)},${y}`)).toBe(true)
  }
})
