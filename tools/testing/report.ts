import { add, type Counts, inOneLine, oneFailed } from './results.ts'
import { type Outcome, type Step } from './steps.ts'

/** A step that ended. */
export interface Taken extends Outcome {
  name: string
  seconds: number
}

/** Runs one step and says how it ended, with all it said if it failed. A step that throws is one failure. */
export async function take(step: Step, words: string[]): Promise<Taken> {
  console.log(`\n▸ ${step.name}: ${step.about}`)
  const started = performance.now()
  const outcome = await step.run(words).catch((error: unknown): Outcome => {
    return {
      counts: oneFailed,
      said: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }
  })
  const taken = { ...outcome, name: step.name, seconds: (performance.now() - started) / 1000 }
  if (outcome.counts.failed && outcome.said) console.log(outcome.said)
  console.log(line(taken))
  return taken
}

/**
 * Prints the failed tests of all steps, then all again in a line each, because a log is often read from its end, then
 * the skipped ones and why, and the table of the steps. Returns the sum of their counts.
 */
export function report(taken: Taken[]): Counts {
  const failures = taken.flatMap(({ name, failures = [] }) => failures.map((one) => `✗ ${name}: ${one}`))
  for (const failure of failures) console.log(`\n${failure}`)
  console.log()
  for (const failure of failures) console.log(inOneLine(failure))
  for (const { name, skips = [] } of taken)
    for (const skip of skips) console.log(inOneLine(`– ${name}: skipped: ${skip}`))
  console.log('\n  step        passed failed skipped  seconds   CPU s')
  for (const { name, counts, seconds, cpuSeconds } of taken) {
    const numbers = [counts.passed, counts.failed, counts.skipped].map((n) => String(n).padStart(7)).join('')
    const cpu = cpuSeconds?.toFixed(1) ?? ''
    console.log(
      `${mark(counts)} ${name.padEnd(10)}${numbers} ${seconds.toFixed(1).padStart(9)} ${cpu.padStart(7)}`,
    )
  }
  console.log()
  return add(taken.map(({ counts }) => counts))
}

function line({ counts, seconds, cpuSeconds, note }: Taken): string {
  const cpu = cpuSeconds === undefined ? '' : `, CPU ${cpuSeconds.toFixed(1)} s`
  return `${mark(counts)} ${seconds.toFixed(1)} s${cpu}${note ? `  ${note}` : ''}`
}

const mark = ({ failed, passed }: Counts) => (failed ? '✗' : passed ? '✓' : '–')
