/**
 * `npm test [-- --only types,unit] [-- --shard 1/3] [-- --list] [-- file …]`: all checks and tests, ordered by
 * duration. Missing programs are installed if that needs no password. File names and `--shard` are passed on to Vitest
 * and Playwright: part 1 of 3 runs a third of the test files of each step. Steps without test files run in every part.
 */
import { closingLine } from './testing/results.ts'
import { shardOf } from './testing/shard.ts'
import { chosen, type Step, steps } from './testing/steps.ts'
import { report, take } from './testing/report.ts'
import { readFlags } from './flags.ts'

const { values, positionals } = readFlags({
  options: {
    only: { type: 'string' },
    shard: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
if (values.list) {
  for (const { name, about } of steps) console.log(`${name.padEnd(12)}${about}`)
  process.exit(0)
}

const { wanted, shard } = choice()
const taken = []
for (const step of wanted) taken.push(await take(step, [...shard, ...positionals]))
const counts = report(taken)
console.log(closingLine(counts))
process.exitCode = counts.failed || !counts.passed ? 1 : 0

function choice(): { wanted: Step[]; shard: string[] } {
  try {
    return { wanted: chosen(values.only?.split(',')), shard: shardOf(values.shard) }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(2)
  }
}
