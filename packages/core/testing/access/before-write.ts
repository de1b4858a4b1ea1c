import type { Engine } from '#/db/engine.ts'

/** Lets something happen once, after the next request has read what it needs and before it writes. */
export function beforeNextWrite(engine: Engine, act: () => Promise<unknown>): void {
  const transaction: Engine['transaction'] = engine.transaction.bind(engine)
  engine.transaction = async (mode, work, reads) => {
    if (mode === 'write') {
      engine.transaction = transaction
      await act()
    }
    return transaction(mode, work, reads)
  }
}
