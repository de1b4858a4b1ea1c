const seriesColours = 8

/** The token of a line's colour; the ninth line has that of the first. */
export const seriesColour = (index: number): string => `--series-${(index % seriesColours) + 1}`

/** The present value of a token, for the canvas, which cannot use CSS variables. */
export const token = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** A colour with an opacity of `share`. */
export const fade = (colour: string, share: number): string =>
  `color-mix(in oklch, ${colour} ${share * 100}%, transparent)`
