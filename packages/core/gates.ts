/** Gates, one per key: many go through together, or one alone, in the order in which they came. */

interface Gate {
  /** Ends when the last one that goes alone is through. */
  barrier: Promise<unknown>
  /** Those that came after it. */
  inside: Set<Promise<unknown>>
  /** How many are at the gate or in it. */
  count: number
}
type Pass = <T>(key: string, work: () => Promise<T>) => Promise<T>

export interface Gates {
  together: Pass
  alone: Pass
}

export function createGates(): Gates {
  const gates = new Map<string, Gate>()

  const pass =
    (enter: <T>(gate: Gate, work: () => Promise<T>) => Promise<T>): Pass =>
    async (key, work) => {
      const gate = gates.get(key) ?? { barrier: Promise.resolve(), inside: new Set(), count: 0 }
      gates.set(key, gate)
      gate.count++
      try {
        return await enter(gate, work)
      } finally {
        if (--gate.count === 0) gates.delete(key)
      }
    }

  return {
    together: pass(async (gate, work) => {
      const { barrier, inside } = gate
      const mine = barrier.then(work)
      const ended = mine.catch(() => undefined)
      inside.add(ended)
      void ended.then(() => inside.delete(ended))
      return mine
    }),
    alone: pass(async (gate, work) => {
      const before = [gate.barrier, ...gate.inside]
      const mine = Promise.all(before).then(work)
      gate.barrier = mine.catch(() => undefined)
      gate.inside = new Set()
      return mine
    }),
  }
}
