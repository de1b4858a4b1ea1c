/** The second factors of a user, and the codes that replace them. */
import { recoveryCodes } from '@purlin/contract/rules/credentials/second-factors'
import type { InTransaction, World } from '#/context.ts'
import type { SecondFactorTable, Tx } from '#/db/tables.ts'
import { hexOf } from '#/bytes.ts'
import { deleteRow } from '#/resources/kind/rows.ts'

const bytesOfCode = 10

/** All factors of a user. */
export const factorsOf = (tx: Tx, siloUserId: string): Promise<SecondFactorTable[]> =>
  tx.selectFrom('secondFactor').selectAll().where('siloUserId', '=', siloUserId).orderBy('id').execute()

/** Makes recovery codes in place of the former ones, and returns them: only their hashes are stored. */
export async function replaceCodes(
  { ids, passwords }: Pick<World, 'ids' | 'passwords'>,
  tx: Tx,
  siloUserId: string,
): Promise<string[]> {
  const plain = Array.from({ length: recoveryCodes }, () => hexOf(ids.bytes(bytesOfCode)))
  await tx.deleteFrom('recoveryCode').where('siloUserId', '=', siloUserId).execute()
  await tx
    .insertInto('recoveryCode')
    .values(plain.map((code) => ({ siloUserId, codeHash: passwords.fingerprint(code) })))
    .execute()
  return plain.map((code) => code.replaceAll(/.{5}(?=.)/g, '$&-'))
}

/** Deletes a factor; with the last one, the recovery codes. */
export async function removeFactor(within: InTransaction, factor: SecondFactorTable): Promise<void> {
  await deleteRow('secondFactor')(within, factor)
  const { tx } = within
  const others = await factorsOf(tx, factor.siloUserId)
  if (others.length === 0)
    await tx.deleteFrom('recoveryCode').where('siloUserId', '=', factor.siloUserId).execute()
}

/** Deletes all factors and recovery codes of a user, who then signs in with the password alone. */
export async function removeFactors(within: InTransaction, siloUserId: string): Promise<void> {
  const { tx } = within
  for (const factor of await factorsOf(tx, siloUserId)) await deleteRow('secondFactor')(within, factor)
  for (const table of ['recoveryCode', 'signInChallenge'] as const)
    await tx.deleteFrom(table).where('siloUserId', '=', siloUserId).execute()
}
