// Scores: consecutive letters and starts of words count more than scattered letters.
const scoreFrom = (text: string, query: string, start: number): number => {
  let score = 0
  let at = start
  let last = start - 1
  for (const letter of query) {
    at = text.indexOf(letter, at)
    if (at < 0) return 0
    const startsWord = at === 0 || /[\s\-_/.]/.test(text[at - 1] ?? '')
    score += 1 + (at === last + 1 ? 4 : 0) + (startsWord ? 3 : 0)
    last = at
    at += 1
  }
  return score + 1 / (1 + start)
}

/** How well the text matches the letters of the query in order; 0 without a match. */
export const fuzzyScore = (text: string, query: string): number => {
  const needle = query.toLowerCase().replaceAll(/\s+/g, '')
  const hay = text.toLowerCase()
  if (needle === '') return 1
  let best = 0
  for (let start = hay.indexOf(needle[0] ?? ''); start >= 0; start = hay.indexOf(needle[0] ?? '', start + 1))
    best = Math.max(best, scoreFrom(hay, needle, start))
  return best
}

/** The items that match, best first; equal scores keep their order. */
export const fuzzyFilter = <T>(items: readonly T[], query: string, texts: (item: T) => string[]): T[] => {
  if (query.trim() === '') return [...items]
  return items
    .map((item) => ({ item, score: Math.max(...texts(item).map((text) => fuzzyScore(text, query))) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ item }) => item)
}
