import { expect, it } from 'vitest'
import { checkPatterns } from './patterns.ts'

const problemsIn = (path: string, text: string) =>
  checkPatterns([{ path: `apps/console/src/${path}`, text }]).flatMap(({ problems }) => problems)

it.each([
  [
    'a formatter that is made while a module is loaded',
    "\nconst or = new Intl.ListFormat('en')\n",
    'makes or while',
  ],
  [
    'a class for a width that the theme does not have',
    '<p className="flex max-sm:sr-only">',
    'max-sm:sr-only does nothing',
  ],
  ['the clock of the computer', 'const age = Date.now() - created', 'Date.now: use serverNow'],
  ['the clock of the computer, for another function', 'timer(Date.now)', 'Date.now: use serverNow'],
  ['a date by that clock', 'ageOf(time, new Date())', 'new Date(): use serverNow'],
  ['the colour of what is being moved', '<Badge tone="note">closed</Badge>', 'tone="note" is for'],
  ['it in a table of states', "closed: { tone: 'note' }", "tone: 'note' is for"],
  [
    'a button without the sign of others',
    '<Button onClick={add}>\n  New user\n</Button>',
    'New user: use NewButton',
  ],
  ['the sign in another button', "import Plus from 'lucide-react/icons/plus'", 'use NewButton'],
  ['another verb for an act', "{ id: 'delete', label: 'Destroy disk' }", '"Destroy" is called Delete'],
  ['an empty list that says nothing', "body: 'Create a disk to see it here'", 'say what the list is for'],
])('finds %s', (_, text, problem) => {
  expect(problemsIn('features/disks/list.tsx', text)).toEqual([expect.stringContaining(problem)])
})

it.each([
  ['features/disks/list.tsx', "const or = lazily(() => new Intl.ListFormat('en'))\n"],
  ['ui/table/Pagination.tsx', '<p className="max-split:sr-only @lg:grid-cols-2">'],
  ['features/disks/list.tsx', 'new Date(serverNow()) < new Date(text)'],
  ['ui/button/NewButton.tsx', "import Plus from 'lucide-react/icons/plus'"],
  ['features/disks/list.tsx', '<NewButton href={form}>New disk</NewButton>'],
  ['features/access/actions.tsx', "{ id: 'role', label: 'Change role' }"],
  ['lib/clock.ts', 'Date.now()'],
  ['lib/clock.test.ts', 'Date.now()'],
  ['preview/preview.ts', 'new Date()'],
])('leaves alone in %s: %s', (path, text) => {
  expect(problemsIn(path, text)).toEqual([])
})
