/** Users and groups by the words of their names. */
import { limits } from '@purlin/contract/rules/limits'
import { batches } from '../batches.ts'
import type { Tx } from '../tables.ts'

const mostWords = 16
const longestWord = 64

/** The words of a name or search, in lower case. */
const wordsOfName = (text: string): string[] =>
  [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))]
    .map((word) => word.slice(0, longestWord))
    .slice(0, mostWords)

interface Principal {
  id: string
  siloId: string
  displayName: string
}

const rowsPerInsert = 500

/** The name of a user or group without regard to case: two spellings that differ only in it have the same. */
export const nameKeyOf = (name: string): string => name.normalize('NFC').toLowerCase()

/** The columns of users and groups that no identity system manages. */
export const unmanagedGroup = { nameKey: null, providerKey: null } as const
export const unmanagedUser = {
  ...unmanagedGroup,
  isServiceAccount: null,
  timeDeactivated: null,
  timeLastSignedIn: 0,
  profileJson: null,
} as const

/** Lets users and groups be found by their names. */
export async function addPrincipalWords(tx: Tx, principals: readonly Principal[]): Promise<void> {
  const rows = principals.flatMap(({ id, siloId, displayName }) =>
    wordsOfName(displayName).map((word) => ({ siloId, word, principalId: id })),
  )
  for (const some of batches(rows, rowsPerInsert)) await tx.insertInto('principalWord').values(some).execute()
}

/** Lets a user or group be found no more. */
export async function forgetPrincipalWords(tx: Tx, principalId: string): Promise<void> {
  await tx.deleteFrom('principalWord').where('principalId', '=', principalId).execute()
}

// After every letter and digit in the order of bytes.
const beyondWords = '\u{10ffff}'

/** The ids of the users and groups of a silo that have, for each word of `text`, one that begins with it. */
export function principalsFound(tx: Tx, siloId: string, text: string) {
  // The longest word is in the fewest names. A search without a word finds nothing.
  const [first = beyondWords, ...others] = wordsOfName(text)
    .slice(0, limits.findWords)
    .toSorted((a, b) => b.length - a.length)
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
