/** Threads for work that would hold up the requests. */
import { Worker, type Transferable, type WorkerOptions } from 'node:worker_threads'

/**
 * Runs tasks, each in a thread that has no other, and keeps as many threads as there were tasks at once. `file` answers
 * each message with one. `moved` belongs to the thread from then on. Throws if the thread ends instead.
 */
export function createThreads<Task, Outcome>(
  file: URL,
  options?: WorkerOptions,
): (task: Task, moved?: Transferable[]) => Promise<Outcome> {
  const idle: Worker[] = []
  return async (task, moved = []) => {
    const thread = idle.pop() ?? new Worker(file, options)
    const outcome = await outcomeIn<Outcome>(thread, task, moved)
    idle.push(thread)
    return outcome
  }
}

/** The process ends without waiting for a thread that has nothing to do. */
async function outcomeIn<Outcome>(thread: Worker, task: unknown, moved: Transferable[]): Promise<Outcome> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
  const fail = (reason: unknown) => reject(new Error('a thread has ended', { cause: reason }))
  thread.once('message', resolve).once('error', fail).once('exit', fail).ref()
  thread.postMessage(task, moved)
  try {
    return await promise
  } finally {
    thread.off('message', resolve).off('error', fail).off('exit', fail).unref()
  }
}
