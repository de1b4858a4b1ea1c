/** `npm run check [-- --json]`: the house rules that no other tool holds, one line each. */
import { countCasts } from './check/casts.ts'
import { checkCommands, checkFailures } from './check/sending.ts'
import { checkPatterns } from './check/patterns.ts'
import { checkDocs } from './check/docs.ts'
import { checkEnglish } from './check/english.ts'
import { repositoryFiles } from './check/files.ts'
import { checkImports } from './check/imports.ts'
import { checkScreens } from './check/screens.ts'
import { checkTiming } from './check/timing.ts'
import { checkShape } from './check/shape.ts'
import { checkHosts, checkNames, checkSuppressions, testShare } from './check/words.ts'
import { root } from './repo.ts'
import { readFlags } from './flags.ts'

const { values } = readFlags({ options: { json: { type: 'boolean', default: false } } })
const files = repositoryFiles(root)
const findings = [
  ...checkShape(files),
  checkImports(files),
  ...checkPatterns(files),
  checkCommands(files),
  checkFailures(files),
  checkDocs(files, root),
  checkEnglish(files),
  checkScreens(root),
  checkTiming(files),
  checkNames(files),
  checkHosts(files),
  checkSuppressions(files),
  testShare(files),
  countCasts(files),
]
if (values.json) {
  console.log(JSON.stringify(Object.assign({}, ...findings.map(({ figures }) => figures)), null, 2))
} else {
  for (const { name, said, problems } of findings) {
    console.log(
      `${problems.length ? '✗' : '✓'} ${name}: ${problems.length ? `${problems.length} wrong` : said}`,
    )
    for (const problem of problems) console.log(`    ${problem}`)
  }
}
process.exitCode = findings.some(({ problems }) => problems.length) ? 1 : 0
