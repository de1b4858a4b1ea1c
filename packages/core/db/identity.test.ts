import { randomBytes, randomUUID } from 'node:crypto'
import { manualClock } from '@purlin/sleds/manual-clock'
import { expect, it } from 'vitest'
import { openTestEngine } from '#/testing/engines.ts'
import { identityOf } from './identity.ts'

const around = async () => ({
  engine: await openTestEngine(),
  clock: manualClock(),
  ids: { uuid: () => randomUUID(), bytes: (n: number) => new Uint8Array(randomBytes(n)) },
})

it('a database keeps its identity, and two databases differ', async () => {
  const [one, other] = [await around(), await around()]
  const id = await identityOf(one)
  expect(await identityOf(one)).toBe(id)
  expect(await identityOf(other)).not.toBe(id)
  await one.engine.close()
  await other.engine.close()
})
