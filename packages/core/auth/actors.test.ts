import { expect, it } from 'vitest'
import { omits } from '@purlin/sleds/testing/skips'
import type { TableName } from '#/db/tables.ts'
import { openWorld } from '#/testing/world.ts'
import { loadSessions, sessionTables } from './actors.ts'

it('sessions and access tokens are read from the tables of sessions', async ({ skip }) => {
  const w = await openWorld()
  const { engine } = w.world
  skip(omits(!engine.changes && 'where others may write the same database, reads are not recorded'))
  const reads = new Set<TableName>()
  await engine.transaction(
    'read',
    async (tx) => {
      const { tokenHash } = await tx.selectFrom('session').select('tokenHash').executeTakeFirstOrThrow()
      await loadSessions(tx, ['session', [tokenHash]], 0)
      await loadSessions(tx, ['accessToken', ['none']], 0)
    },
    reads,
  )
  expect([...reads].toSorted()).toEqual([...sessionTables].toSorted())
  await w.close()
})
