/**
 * Tracks which commits are on disk. A commit is visible to others immediately, and answered when it is durable: the
 * next transactions run while the disk works, and one sync covers all commits before it.
 */

export interface Durability {
  /** Notes a commit. */
  committed(): void
  /** Resolves when all commits so far are on disk; undefined if they are. Rejects if the disk fails, then and ever after. */
  reached(): Promise<void> | undefined
  /** Throws what the disk failed with, if it has. */
  check(): void
}

/** `sync` writes all that was committed before the call to disk. */
export function createDurability(sync: () => Promise<void>): Durability {
  let commits = 0
  let onDisk = 0
  let failure: { error: unknown } | undefined
  let syncing: Promise<void> | undefined

  async function syncNow(): Promise<void> {
    const covered = commits
    try {
      await sync()
      onDisk = covered
    } catch (error) {
      // The system may have dropped data that it could not write, so a later successful sync would prove nothing.
      failure = { error }
    } finally {
      syncing = undefined
    }
  }

  async function reach(position: number): Promise<void> {
    while (onDisk < position && !failure) await (syncing ??= syncNow())
    if (failure) throw failure.error
  }

  return {
    committed: () => void commits++,
    reached: () => (onDisk < commits || failure ? reach(commits) : undefined),
    check: () => {
      if (failure) throw failure.error
    },
  }
}
