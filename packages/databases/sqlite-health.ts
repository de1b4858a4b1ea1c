/** Remembers whether the last write and the last read found the database unusable. */
import { DatabaseUnusable } from '@purlin/core/ports'
import { lastingTroubles } from './sqlite-errors.ts'

export interface HealthHooks {
  /** The database cannot be used any more, for the reason given, or can be used again (null). */
  onTrouble?: (reason: string | null) => void
}
type Mode = 'read' | 'write'

export interface Health {
  /** Why the database cannot be used; undefined while it can. */
  reason: () => string | undefined
  failed(mode: Mode, error: unknown): void
  worked(mode: Mode): void
}

export function createHealth({ onTrouble }: HealthHooks): Health {
  const found = new Map<Mode, string>()
  const reason = (): string | undefined => found.values().next().value
  function change(by: () => void): void {
    const before = reason()
    by()
    const now = reason()
    if (now !== before) onTrouble?.(now ?? null)
  }
  return {
    reason,
    failed(mode, error) {
      if (error instanceof DatabaseUnusable) change(() => found.set(mode, error.message))
    },
    worked(mode) {
      // A damaged file stays damaged, whichever of its pages can still be read.
      if (found.size > 0 && !lastingTroubles.includes(found.get(mode) ?? '')) change(() => found.delete(mode))
    },
  }
}
