/** Cooperative scheduling: long work yields to the event loop between its steps. */

/** Yields to other work; resolves to false if the caller should stop. */
export type Checkpoint = () => Promise<boolean>

// Every runtime we have knows one of these, but they belong to no platform's types that compile here.
const platform = globalThis as unknown as {
  setImmediate?: (then: () => void) => void
  setTimeout: (then: () => void, ms: number) => void
  performance: { now: () => number }
}

const later = (then: () => void) =>
  platform.setImmediate ? platform.setImmediate(then) : platform.setTimeout(then, 0)

const waiting: (() => void)[] = []

function resumeOne(): void {
  waiting.shift()?.()
  if (waiting.length > 0) later(resumeOne)
}

/**
 * Resolves after the callbacks that are already queued have run. Each pass of the event loop continues one part of
 * all the work that has yielded, in order. This limits the time that all parts together block the process.
 */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) later(resumeOne)
  })

/** Work that can be interrupted wherever it yields. */
export type Interruptible<T> = Generator<void, T, void>

/** Does it without an interruption. */
export function runAtOnce<T>(work: Interruptible<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

const sliceMs = 8

/** Does it with other work in between, as soon as it has kept the process for 8 ms. */
export async function runInSlices<T>(work: Interruptible<T>): Promise<T> {
  const now = () => platform.performance.now()
  let began = now()
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    if (now() - began < sliceMs) continue
    await yieldToEventLoop()
    began = now()
  }
}

/**
 * For a long work in parts: call the returned function after each part. Once the parts have taken 8 ms it rests for as
 * long as they took, so that requests have half of the process. A rest after each part would be too long: a timer
 * takes a millisecond, and most parts take less.
 */
export function startSharingTime(): () => Promise<void> {
  const now = () => platform.performance.now()
  let began = now()
  return async () => {
    const took = now() - began
    if (took < sliceMs) return
    await new Promise<void>((resolve) => platform.setTimeout(resolve, took))
    began = now()
  }
}
