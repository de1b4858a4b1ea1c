/** Queries that are built once: to build and compile one takes longer than SQLite takes to answer it. */
import type { Compilable, CompiledQuery } from 'kysely'
import type { Tx } from './tables.ts'

/** Stands in a query for a value that is given at each use. */
class Parameter {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

type Values = Readonly<Record<string, string | number>>

/**
 * Makes a query of what `build` builds for each connection when it is first used. `build` is given the names of the
 * values in place of them, so that its text cannot depend on them.
 */
export function prepared<V extends Values, R>(
  build: (tx: Tx, value: <N extends keyof V & string>(name: N) => V[N]) => Compilable<R>,
): (tx: Tx, values: V) => Promise<R[]> {
  const built = new WeakMap<Tx, CompiledQuery<R>>()
  return async (tx, values) => {
    let query = built.get(tx)
    if (!query) {
      query = build(tx, (name) => new Parameter(name) as unknown as V[typeof name]).compile()
      built.set(tx, query)
    }
    const parameters = query.parameters.map((one) => (one instanceof Parameter ? values[one.name] : one))
    const { rows } = await tx.executeQuery({ ...query, parameters })
    return rows as R[]
  }
}
