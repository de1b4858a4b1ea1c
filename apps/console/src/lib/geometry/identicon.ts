// FNV-1a: short, and distributes well enough for a picture.
const hash = (text: string): number => {
  let value = 0x811c9dc5
  for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return value
}

/** The cells of a mirrored 5 × 5 picture, derived from a text. */
export const identiconCells = (text: string): { x: number; y: number }[] => {
  const bits = hash(text)
  const cells: { x: number; y: number }[] = []
  for (let y = 0; y < 5; y += 1) {
    for (let x = 0; x < 3; x += 1) {
      if (((bits >>> (y * 3 + x)) & 1) === 0) continue
      cells.push({ x, y })
      if (x < 2) cells.push({ x: 4 - x, y })
    }
  }
  return cells
}
