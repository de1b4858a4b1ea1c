import { expect, it } from 'vitest'
import { checkEnglish, headlessLines, titleCaseActs, worstWords } from './english.ts'

it('finds the worst words in any case, and not as parts of others', () => {
  expect(worstWords('Nobody is\ntold. Besides, a retold story.\nA disk of its own.')).toEqual([
    { line: 1, word: 'Nobody' },
    { line: 2, word: 'told' },
    { line: 3, word: 'of its own' },
  ])
})

it('names the file, the word and a replacement, and leaves generated files alone', () => {
  const text = '/** Read anew. */\n'
  expect(checkEnglish([{ path: 'packages/core/a.ts', text }]).problems).toEqual([
    'packages/core/a.ts: "anew" in line 1; write again',
  ])
  expect(checkEnglish([{ path: 'apps/console/src/routeTree.gen.ts', text }]).problems).toEqual([])
})

it('finds comments and test titles that begin with a relative clause', () => {
  const slashes = '//'
  const text = [
    '/** What a reader has. */',
    `  ${slashes} Who may read it.`,
    "it('what is read', () => {",
    `${slashes} What is the unit?`,
    '/** The sum of what is read. */',
  ].join('\n')
  expect(headlessLines(text)).toEqual([1, 2, 3])
})

it('finds acts in title case, and leaves the names of places and terms alone', () => {
  const text =
    "const label = 'New Project'\nconst place = 'IP Pools'\nconst act = `Edit the Boot disk`\n'New IP pool'"
  expect(titleCaseActs(text)).toEqual([
    { line: 1, act: 'New Project' },
    { line: 3, act: 'Edit the Boot' },
  ])
  const path = 'apps/console/src/features/projects/list.tsx'
  expect(checkEnglish([{ path, text: "label: 'New Project'" }]).problems).toEqual([
    `${path}: "New Project" in line 1; write acts in sentence case`,
  ])
})
