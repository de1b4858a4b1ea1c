/** Users and groups by the words of their names. */
import type { Tx } from './tables.ts'

const mostWords = 16
const longestWord = 64

/** The words of a name or of what is looked for, in lower case. */
const wordsOfName = (text: string): string[] =>
  [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))]
    .map((word) => word.slice(0, longestWord))
    .slice(0, mostWords)

/** Lets a user or group be found by its name. */
export async function addPrincipalWords(
  tx: Tx,
  { id, siloId, displayName }: { id: string; siloId: string; displayName: string },
): Promise<void> {
  const rows = wordsOfName(displayName).map((word) => ({ siloId, word, principalId: id }))
  if (rows.length > 0) await tx.insertInto('principalWord').values(rows).execute()
}

// After every letter and digit in the order of bytes.
const beyondWords = '\u{10ffff}'

/** The ids of the users and groups of a silo that have, for each word of `text`, one that begins with it. */
export function principalsFound(tx: Tx, siloId: string, text: string) {
  // The longest word is in the fewest names. Without a word nothing is found.
  const [first = beyondWords, ...others] = wordsOfName(text).toSorted((a, b) => b.length - a.length)
  return others.reduce(
    (found, word) =>
      found.where((eb) =>
        eb.exists(
          eb
            .selectFrom('principalWord as other')
            .select('other.word')
            .whereRef('other.principalId', '=', 'principalWord.principalId')
            .where('other.word', '>=', word)
            .where('other.word', '<', `${word}${beyondWords}`),
        ),
      ),
    tx
      .selectFrom('principalWord')
      .select('principalWord.principalId')
      .where('siloId', '=', siloId)
      .where('word', '>=', first)
      .where('word', '<', `${first}${beyondWords}`),
  )
}
