/**
 * `npm test [-- --only types,unit] [-- --list] [-- file …]`: all checks and tests, ordered by
 * duration. Missing programs are installed if that needs no password. File
 * names are passed on to the unit and end-to-end runs.
 */
import { closingLine } from './testing/results.ts'
import { chosen, type Step, steps } from './testing/steps.ts'
import { report, take } from './testing/report.ts'
import { readFlags } from './flags.ts'

const { values, positionals } = readFlags({
  options: { only: { type: 'string' }, list: { type: 'boolean', default: false } },
  allowPositionals: true,
})
if (values.list) {
  for (const { name, about } of steps) console.log(`${name.padEnd(12)}${about}`)
  process.exit(0)
}

const taken = []
for (const step of wanted()) taken.push(await take(step, positionals))
const counts = report(taken)
console.log(closingLine(counts))
process.exitCode = counts.failed || !counts.passed ? 1 : 0

function wanted(): Step[] {
  try {
    return chosen(values.only?.split(','))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(2)
  }
}
