import { expect } from 'vitest'
import { above } from './suite-layers.ts'
import { openViewer } from './suite-console.ts'
import { follow, running, until, untilState, web, type Rule, type SledHarness } from './suite-harness.ts'

async function otherSled({ driver }: SledHarness): Promise<string> {
  const [, other] = (await driver.hardware()).sleds
  if (!other) throw new Error('the driver has one sled only')
  return other.id
}

/** The rules for machines that move to another sled while they run. */
export function migrationRules(rule: Rule) {
  rule('a machine moves to another sled while it runs, with its console', async (h) => {
    const spec = await running(h)
    const to = await otherSled(h)
    const shown = async (sledId: string) => {
      const chunk = await h.driver.readConsole(web, sledId, { from: 0, max: 65_536 })
      return chunk === null || chunk === 'dropped' ? '' : new TextDecoder().decode(chunk.data)
    }
    const print = async (sledId: string, words: string) => {
      await h.print(web, new TextEncoder().encode(words))
      await until(h, `the guest says ${words}`, async () => (await shown(sledId)).includes(words))
    }
    await until(h, 'the guest says something', async () => (await shown(spec.sledId)) !== '')
    await print(spec.sledId, 'here')
    const { states } = follow(h)
    const { ends, output } = await openViewer(h, spec.sledId, { last: Infinity })
    await h.driver.migrate(web, { id: 'a migration', to, spec })
    await untilState(h, web, to, 'running')
    await untilState(h, web, spec.sledId, null)
    expect(await h.driver.inspect(web, to)).toMatchObject({ boot: 1, reset: 0, storage: 0 })
    expect(await h.driver.machines(to)).toEqual([{ id: web, boot: 1, state: 'running' }])
    expect(await shown(to)).toContain('here')
    await until(h, 'the console ends', () => ends.length > 0)
    const [{ reason, end = -1 } = { reason: '' }] = ends
    expect(reason).toBe('VM moved to another host')
    expect(output().length).toBe(end)
    await print(to, 'there')
    const next = await openViewer(h, to, { from: end })
    await until(h, 'the console goes on', () => next.output().includes('there'))
    expect(output() + next.output()).toBe(await shown(to))
    next.stream.write(new TextEncoder().encode('typed'))
    await until(h, 'the echo', () => next.output().includes('typed'))
    next.stream.close()
    expect(states()).toEqual(['running'])
    // It was done already.
    await h.driver.migrate(web, { id: 'a migration', to, spec })
    expect(await h.driver.inspect(web, to)).toMatchObject({ state: 'running' })
  })

  rule('a machine stays if the other sled does not answer, says why, and can be moved later', async (h) => {
    const spec = await running(h)
    const nowhere = '00000000-0000-4000-8000-000000000000'
    const first = { id: 'one', to: nowhere, spec }
    await h.driver.migrate(web, first)
    const failed = async () => (await h.driver.inspect(web, spec.sledId))?.failedMigration
    await until(h, 'the migration fails', async () => (await failed()) !== undefined)
    expect(await failed()).toEqual({ id: 'one', reason: expect.stringMatching(/./) as string })
    const to = await otherSled(h)
    // The first one has failed, whatever is asked for now.
    await h.driver.migrate(web, { ...first, to })
    await h.advance(h.maxWaitMs)
    expect(await h.driver.inspect(web, spec.sledId)).toMatchObject({ state: 'running' })
    await h.driver.migrate(web, { id: 'two', to, spec })
    await untilState(h, web, to, 'running')
  })

  rule('a machine of another boot is not moved', async (h) => {
    const spec = await running(h)
    const to = await otherSled(h)
    await h.driver.migrate(web, { id: 'a migration', to, spec: { ...spec, boot: 2 } })
    await h.advance(h.maxWaitMs)
    expect(await h.driver.inspect(web, spec.sledId)).toMatchObject({ boot: 1, state: 'running' })
    expect(await h.driver.inspect(web, to)).toBeNull()
  })

  rule('a machine on its way to another sled keeps its layers until it has arrived', async (h) => {
    const spec = await running(h)
    const to = await otherSled(h)
    await h.driver.migrate(web, { id: 'a migration', to, spec })
    await h.driver.setLayers(web, spec.sledId, above(spec, 1))
    expect((await h.driver.inspect(web, spec.sledId))?.storage ?? 0).toBe(0)
    await untilState(h, web, to, 'running')
    await h.driver.setLayers(web, to, above(spec, 1))
    expect(await h.driver.inspect(web, to)).toMatchObject({ storage: 1 })
  })
}
