import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFreshEngine, type EngineKind } from '#/testing/engines.ts'
import { UniqueViolation, type Engine, type TransactionWork } from './engine.ts'
import { migrate } from './migrate.ts'
import type { Tx } from './tables.ts'

const kinds: EngineKind[] = ['sqlite', 'wasm', 'postgres']
// Without PostgreSQL its tests fail where every test is required; elsewhere they are skipped.
const has = (kind: EngineKind) =>
  kind !== 'postgres' || Boolean(process.env['PURLIN_TEST_PG_URL']) || process.env['CI'] === 'true'

describe.each(kinds)('%s', (kind) => {
  describe.skipIf(!has(kind))('as an engine', () => {
    let engine: Engine
    let isOpen: boolean
    beforeEach(async () => {
      engine = await openFreshEngine(kind)
      isOpen = true
      await migrate(engine, 7)
    })
    afterEach(() => (isOpen ? engine.close() : undefined))

    const write = <T>(work: TransactionWork<T>) => engine.transaction('write', work)
    const read = <T>(work: (tx: Tx) => Promise<T>) => engine.transaction('read', work)
    const add = (tx: Tx, id: string, storage = 0) =>
      tx.insertInto('usage').values({ id, cpus: 0, memory: 0, storage }).execute()
    const ids = () =>
      read(async (tx) =>
        (await tx.selectFrom('usage').select('id').orderBy('id').execute()).map((row) => row.id),
      )
    const valueOf = (tx: Tx, id: string) =>
      tx.selectFrom('usage').select('storage').where('id', '=', id).executeTakeFirstOrThrow()
    const set = (tx: Tx, id: string, storage: number) =>
      tx.updateTable('usage').set({ storage }).where('id', '=', id).execute()
    const turns = async (count: number) => {
      for (let i = 0; i < count; i++) await Promise.resolve()
    }

    it('commits and returns the value', async () => {
      expect(await write(async (tx) => (await add(tx, 'a'), 'done'))).toBe('done')
      expect(await ids()).toEqual(['a'])
    })

    it('forgets everything of a transaction that throws, and throws the same', async () => {
      const reason = new Error('changed my mind')
      const attempt = write(async (tx) => {
        await add(tx, 'a')
        await add(tx, 'b')
        throw reason
      })
      await expect(attempt).rejects.toBe(reason)
      expect(await ids()).toEqual([])
    })

    it('keeps all digits of an integer of 64 bits, in reads and in what writes return', async () => {
      const largest = 2n ** 63n - 1n
      await write((tx) => add(tx, 'a', Number.MAX_SAFE_INTEGER))
      expect(await read((tx) => valueOf(tx, 'a'))).toEqual({ storage: Number.MAX_SAFE_INTEGER })
      const update = (storage: bigint) =>
        write((tx) => tx.updateTable('usage').set({ storage }).returning(['cpus', 'storage']).execute())
      for (const storage of [largest, -largest, 2n ** 53n]) {
        expect(await update(storage)).toEqual([{ cpus: 0, storage }])
        expect(await read((tx) => valueOf(tx, 'a'))).toEqual({ storage })
      }
      await write((tx) => set(tx, 'a', 1))
      expect(await read((tx) => valueOf(tx, 'a'))).toEqual({ storage: 1 })
    })

    it('an empty list contains no value', async () => {
      await write((tx) => add(tx, 'a'))
      const empty: string[] = []
      for (const [operator, count] of [
        ['in', 0],
        ['not in', 1],
      ] as const) {
        const rows = await read((tx) =>
          tx.selectFrom('usage').select('id').where('id', operator, empty).execute(),
        )
        expect(rows).toHaveLength(count)
        const done = await write((tx) =>
          tx.updateTable('usage').set({ storage: 1 }).where('id', operator, empty).executeTakeFirst(),
        )
        expect(done.numUpdatedRows).toBe(BigInt(count))
      }
    })

    it('shows a transaction its own writes', async () => {
      await write(async (tx) => {
        await add(tx, 'a', 1)
        await set(tx, 'a', 2)
        expect((await valueOf(tx, 'a')).storage).toBe(2)
      })
    })

    it('names a unique violation, and undoes what came before it', async () => {
      await write((tx) => add(tx, 'a'))
      const attempt = write(async (tx) => {
        await add(tx, 'b')
        await add(tx, 'a')
      })
      await expect(attempt).rejects.toBeInstanceOf(UniqueViolation)
      expect(await ids()).toEqual(['a'])
    })

    it('commits with the last statement, and fails with it', async () => {
      await write(async (tx, pipelineWithCommit) => {
        await add(tx, 'a')
        pipelineWithCommit(add(tx, 'b'))
      })
      expect(await ids()).toEqual(['a', 'b'])
      const failing = write(async (tx, pipelineWithCommit) => {
        await add(tx, 'c')
        pipelineWithCommit(add(tx, 'a'))
      })
      await expect(failing).rejects.toBeInstanceOf(UniqueViolation)
      const only = write((tx, pipelineWithCommit) => Promise.resolve(pipelineWithCommit(add(tx, 'a'))))
      await expect(only).rejects.toBeInstanceOf(UniqueViolation)
      expect(await ids()).toEqual(['a', 'b'])
      // A transaction that throws leaves no statement for the next one.
      const thrown = write(async (tx, pipelineWithCommit) => {
        await set(tx, 'b', 1)
        pipelineWithCommit(add(tx, 'd'))
        throw new Error('after all')
      })
      await expect(thrown).rejects.toThrow('after all')
      await write((tx) => add(tx, 'e'))
      expect(await ids()).toEqual(['a', 'b', 'e'])
    })

    it('names one of a second unique index, and of an update, too', async () => {
      const identity = { name: 'same', description: '', timeCreated: 0, timeModified: 0, rcgen: 0 }
      await write((tx) =>
        tx
          .insertInto('ipPool')
          .values({ id: 'a', ...identity })
          .execute(),
      )
      await expect(
        write((tx) =>
          tx
            .insertInto('ipPool')
            .values({ id: 'b', ...identity })
            .execute(),
        ),
      ).rejects.toBeInstanceOf(UniqueViolation)
      await write((tx) =>
        tx
          .insertInto('ipPool')
          .values({ id: 'b', ...identity, name: 'other' })
          .execute(),
      )
      const clash = write((tx) =>
        tx.updateTable('ipPool').set({ name: 'same' }).where('id', '=', 'b').execute(),
      )
      await expect(clash).rejects.toBeInstanceOf(UniqueViolation)
      await expect(clash).rejects.toMatchObject({ isOfName: true })
    })

    it('reports whether a name is taken, also in a partial index', async () => {
      const address = {
        kind: 'floating' as const,
        projectId: 'p',
        ipPoolId: 'i',
        instanceId: null,
        lastPort: 1,
      }
      const text = { description: '', timeCreated: 0, timeModified: 0, firstPort: 0 }
      const insert = (id: string, name: string, ipKey: string) =>
        write((tx) =>
          tx
            .insertInto('externalIp')
            .values({ id, name, ipKey, ...address, ...text })
            .execute(),
        )
      await insert('a', 'front', '1')
      await expect(insert('b', 'front', '2')).rejects.toMatchObject({ isOfName: true })
      await expect(insert('b', 'back', '1')).rejects.toMatchObject({ isOfName: false })
      await expect(insert('a', 'back', '2')).rejects.toMatchObject({ isOfName: false })
    })

    it('other failures of a statement are not called unique violations', async () => {
      const noValue = write((tx) =>
        tx
          .insertInto('usage')
          .values({ id: 'a', cpus: null as unknown as number, memory: 0, storage: 0 })
          .execute(),
      )
      await expect(noValue).rejects.not.toBeInstanceOf(UniqueViolation)
      await expect(write((tx) => sql`select * from nowhere`.execute(tx))).rejects.not.toBeInstanceOf(
        UniqueViolation,
      )
      await write((tx) => add(tx, 'a'))
      expect(await ids()).toEqual(['a'])
    })

    it('counts the changed rows', async () => {
      await write(async (tx) => {
        for (const id of ['a', 'b', 'c']) await add(tx, id)
        expect((await tx.updateTable('usage').set({ cpus: 1 }).executeTakeFirst()).numUpdatedRows).toBe(3n)
        expect(
          (await tx.updateTable('usage').set({ cpus: 1 }).where('id', '=', 'x').executeTakeFirst())
            .numUpdatedRows,
        ).toBe(0n)
        expect((await tx.deleteFrom('usage').where('id', '!=', 'b').executeTakeFirst()).numDeletedRows).toBe(
          2n,
        )
        expect(
          await tx.deleteFrom('usage').where('id', '=', 'b').returning('cpus').executeTakeFirst(),
        ).toEqual({ cpus: 1 })
      })
      expect(await ids()).toEqual([])
    })

    it('counts each of many concurrent increments', async () => {
      await write((tx) => add(tx, 'a'))
      const increment = () =>
        write(async (tx) => {
          const { storage } = await valueOf(tx, 'a')
          await turns(3)
          await set(tx, 'a', Number(storage) + 1)
        })
      await Promise.all(Array.from({ length: 25 }, increment))
      expect((await read((tx) => valueOf(tx, 'a'))).storage).toBe(25)
    })

    it('lets no two writes each rely on what the other changes (write skew)', async () => {
      await write(async (tx) => {
        await add(tx, 'a', 1)
        await add(tx, 'b', 1)
      })
      // Each may take one of the two, as long as the other is there.
      const takeOne = (id: string) =>
        write(async (tx) => {
          const rows = await tx.selectFrom('usage').select('storage').execute()
          await turns(5)
          if (rows.reduce((all, row) => all + Number(row.storage), 0) < 2) return false
          await set(tx, id, 0)
          return true
        })
      for (let i = 0; i < 5; i++) {
        const taken = await Promise.all([takeOne('a'), takeOne('b')])
        expect(taken.filter(Boolean)).toHaveLength(1)
        await write(async (tx) => {
          await set(tx, 'a', 1)
          await set(tx, 'b', 1)
        })
      }
    })

    it('lets no row be inserted after a read that found it absent (phantoms)', async () => {
      const once = (id: string) =>
        write(async (tx) => {
          const rows = await tx.selectFrom('usage').select('id').where('cpus', '=', 0).execute()
          await turns(5)
          if (rows.length === 0) await add(tx, id)
        })
      await Promise.all(['a', 'b', 'c', 'd'].map(once))
      expect(await ids()).toHaveLength(1)
    })

    it('a read sees one snapshot, despite concurrent commits', async () => {
      await write(async (tx) => {
        await add(tx, 'a', 1)
        await add(tx, 'b', 1)
      })
      const seen: [number | bigint, number | bigint][] = []
      const look = () =>
        read(async (tx) => {
          const first = (await valueOf(tx, 'a')).storage
          await turns(20)
          seen.push([first, (await valueOf(tx, 'b')).storage])
        })
      const move = (to: number) =>
        write(async (tx) => {
          await set(tx, 'a', to)
          await turns(3)
          await set(tx, 'b', to)
        })
      await Promise.all(Array.from({ length: 12 }, (_, i) => (i % 2 ? look() : move(i))))
      expect(seen).toHaveLength(6)
      for (const [a, b] of seen) expect(a).toBe(b)
    })

    it('a failing write does not affect those committed at the same time', async () => {
      const all = Array.from({ length: 30 }, (_, i) =>
        write(async (tx) => {
          await add(tx, `row-${i}`)
          await turns(i % 4)
          if (i % 3 === 0) throw new Error('no')
          if (i % 3 === 1) await add(tx, `extra-${i}`)
        }),
      )
      const outcomes = await Promise.allSettled(all)
      const kept = await ids()
      for (const [i, { status }] of outcomes.entries()) {
        expect(status).toBe(i % 3 === 0 ? 'rejected' : 'fulfilled')
        expect(kept.includes(`row-${i}`)).toBe(i % 3 !== 0)
        expect(kept.includes(`extra-${i}`)).toBe(i % 3 === 1)
      }
    })

    it('a write that violates a unique index does not affect concurrent writes', async () => {
      await write((tx) => add(tx, 'taken'))
      const outcomes = await Promise.allSettled(['a', 'taken', 'b'].map((id) => write((tx) => add(tx, id))))
      expect(outcomes.map((one) => one.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect(await ids()).toEqual(['a', 'b', 'taken'])
    })

    it('more concurrent writes than fit into a commit', async () => {
      await Promise.all(
        Array.from({ length: 150 }, (_, i) => write((tx) => add(tx, `row-${String(i).padStart(3, '0')}`))),
      )
      expect(await ids()).toHaveLength(150)
    })

    it('sorts text by its bytes', async () => {
      const words = ['a', 'a-b', 'a0', 'aa', 'b', 'B', '_', 'a b', 'ä', 'z', '0']
      await write(async (tx) => {
        for (const word of words) await add(tx, word)
      })
      const byBytes = words.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      expect(await ids()).toEqual(byBytes)
      const above = await read((tx) =>
        tx.selectFrom('usage').select('id').where('id', '>', 'a').orderBy('id').execute(),
      )
      expect(above.map((row) => row.id)).toEqual(byBytes.slice(byBytes.indexOf('a') + 1))
    })

    it('keeps whole numbers exactly, up to 2^53 - 1 and below zero', async () => {
      const numbers = [0, -1, 2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER]
      await write(async (tx) => {
        for (const [i, number] of numbers.entries()) await add(tx, `n${i}`, number)
      })
      const kept = await read((tx) => tx.selectFrom('usage').select('storage').orderBy('id').execute())
      expect(kept.map((row) => row.storage)).toEqual(numbers)
    })

    it('adds in the database without losing precision', async () => {
      await write((tx) => add(tx, 'a', Number.MAX_SAFE_INTEGER - 1))
      await write((tx) =>
        tx
          .updateTable('usage')
          .set((eb) => ({ storage: eb('storage', '+', 1) }))
          .execute(),
      )
      expect((await read((tx) => valueOf(tx, 'a'))).storage).toBe(Number.MAX_SAFE_INTEGER)
    })

    it('keeps null apart from empty text, and text as it is', async () => {
      const odd = 'Ünï 😀 \' " \\ % \n'
      const row = { siloId: 's', externalId: 'e', displayName: odd, timeCreated: 0, timeModified: 0 }
      await write((tx) =>
        tx
          .insertInto('siloUser')
          .values([
            { id: 'a', ...row, passwordHash: null },
            { id: 'b', ...row, externalId: '', passwordHash: '' },
          ])
          .execute(),
      )
      const rows = await read((tx) =>
        tx
          .selectFrom('siloUser')
          .select(['displayName', 'passwordHash', 'externalId'])
          .orderBy('id')
          .execute(),
      )
      expect(rows).toEqual([
        { displayName: odd, passwordHash: null, externalId: 'e' },
        { displayName: odd, passwordHash: '', externalId: '' },
      ])
    })

    it('takes null as different from null in a unique index', async () => {
      const disk = {
        description: '',
        timeCreated: 0,
        timeModified: 0,
        projectId: 'p',
        siloId: 's',
        size: 1,
        blockSize: 1,
        snapshotId: null,
        imageId: null,
        state: 'detached' as const,
        generation: 1,
      }
      const insert = (id: string, at: { instanceId: string | null; slot: number | null }) =>
        write((tx) =>
          tx
            .insertInto('disk')
            .values({ id, name: id, ...disk, ...at })
            .execute(),
        )
      for (const id of ['a', 'b']) await insert(id, { instanceId: null, slot: null })
      await insert('c', { instanceId: 'i', slot: 0 })
      await expect(insert('d', { instanceId: 'i', slot: 0 })).rejects.toBeInstanceOf(UniqueViolation)
    })

    it('applying the same migrations again changes nothing', async () => {
      await write((tx) => add(tx, 'a'))
      const applied = () =>
        read((tx) =>
          tx
            .$extendTables<{ kysely_migration: { name: string; timestamp: string } }>()
            .selectFrom('kysely_migration')
            .selectAll()
            .execute(),
        )
      const before = await applied()
      expect(before).not.toEqual([])
      await Promise.all([migrate(engine, 9), migrate(engine, 9)])
      expect(await ids()).toEqual(['a'])
      expect(await applied()).toEqual(before)
    })

    it('close waits for running transactions', async () => {
      const last = write((tx) => add(tx, 'a'))
      await last
      await engine.close()
      isOpen = false
      await expect(write((tx) => add(tx, 'b'))).rejects.toBeInstanceOf(Error)
      await expect(read((tx) => tx.selectFrom('usage').selectAll().execute())).rejects.toBeInstanceOf(Error)
    })
  })
})
