/** Names of prepared statements: the database parses and plans a named statement once per connection. */
import type { CompiledQuery } from 'kysely'
import { settings } from './settings.ts'

/**
 * Statements are named in the order in which they are first used. When there are as many as allowed, others are not
 * prepared: those with lists of values differ by their length and would fill the memory of the database.
 */
export function createStatementNames(): (compiled: CompiledQuery) => string | undefined {
  const names = new Map<string, string>()
  return ({ sql, query }) => {
    const known = names.get(sql)
    // Raw text can have several statements, which cannot be prepared, and is rarely used twice.
    if (known !== undefined || query.kind === 'RawNode') return known
    if (names.size >= settings.preparedStatements) return undefined
    const name = `s${names.size}`
    names.set(sql, name)
    return name
  }
}
