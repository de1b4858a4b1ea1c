/** For engines: the last statement of a transaction, with which the commit is sent. */
import type { PipelineWithCommit } from './engine.ts'

/** The pipeline of one attempt of a transaction. */
export interface Pipeline {
  readonly add: PipelineWithCommit
  /** The statement that was added last; undefined if none was. */
  last(): Promise<unknown> | undefined
}

export function createPipeline(): Pipeline {
  let last: Promise<unknown> | undefined
  return {
    add(statement) {
      // The commit reports its failure.
      statement.catch(() => undefined)
      last = statement
    },
    last: () => last,
  }
}
