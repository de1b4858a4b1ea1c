import { it } from 'vitest'
import { openTestEngine } from './engines.ts'
import { openWorld } from './world.ts'
import { migrate } from '../db/migrations.ts'
it('x', async () => {
  const t = async (n: string, f: () => Promise<unknown>) => { const s = performance.now(); await f(); console.log(n, Math.round(performance.now() - s)) }
  for (let i = 0; i < 4; i++) {
    let e: Awaited<ReturnType<typeof openTestEngine>>
    await t('create', async () => { e = await openTestEngine() })
    await t('firsttx', () => e.transaction('read', (tx) => tx.selectFrom('silo').selectAll().execute()))
    await t('migrate', () => migrate(e, 0))
    await t('tx', () => e.transaction('read', (tx) => tx.selectFrom('silo').selectAll().execute()))
    await t('drop', () => e.close())
    let x: Awaited<ReturnType<typeof openWorld>>
    await t('openWorld', async () => { x = await openWorld() })
    await t('close', () => x.close())
  }
})
