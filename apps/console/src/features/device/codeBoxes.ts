/** The letters of a code in its boxes; an empty text is an empty box. */
export type Boxes = readonly string[]

const size = 8
export const noLetters: Boxes = Array.from({ length: size }, () => '')

const lettersOf = (text: string): string[] => text.toUpperCase().match(/[A-Z]/g) ?? []

/** Puts the letters of a text into the boxes from one on. Also returns the next box. */
export function withLetters(boxes: Boxes, from: number, text: string): { boxes: Boxes; next: number } {
  const letters = lettersOf(text).slice(0, size - from)
  const filled = boxes.map((box, i) => letters[i - from] ?? box)
  return { boxes: filled, next: Math.min(from + letters.length, size - 1) }
}

/** The boxes with one of them empty. */
export const without = (boxes: Boxes, at: number): Boxes => boxes.map((box, i) => (i === at ? '' : box))

/** `BCDF-GHJK`, or undefined while a letter is missing. */
export function codeOf(boxes: Boxes): string | undefined {
  if (boxes.includes('')) return undefined
  return `${boxes.slice(0, size / 2).join('')}-${boxes.slice(size / 2).join('')}`
}
