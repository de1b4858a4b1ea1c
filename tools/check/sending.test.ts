import { expect, it } from 'vitest'
import { checkCommands, checkFailures } from './sending.ts'

const problemsOf = (text: string, path = 'apps/console/src/features/disks/Erase.tsx') =>
  checkCommands([{ path, text }]).problems

it.each([
  ['onClick={() => send(diskDelete, args)}', /sends diskDelete by itself/],
  ['const { mutate } = useApi(diskDelete, {})', /sends diskDelete by itself/],
  ['sendIfThere(\n  diskDelete, args)', /sends diskDelete by itself/],
  ['sendRequest(requestTo(diskDelete, args))', /sends requestTo and nothing shows it/],
  [
    'const request = () => 1\n<Button onClick={() => sendRequest(request(row))} />',
    /sends request and nothing/,
  ],
  ["import { erasure } from './a.ts'\nawait sendRequest(await erasure(row))", /sends erasure and nothing/],
])('a screen may not have %s', (text, problem) => {
  expect(problemsOf(text)).toEqual([expect.stringMatching(problem)])
})

it.each([
  'send(diskView, args)',
  'send(taskPreview, { body })',
  'const request = () => 1\nsendRequest(request(row))\n<ModalForm request={request} />',
])('a screen may have %s', (text) => {
  expect(problemsOf(text)).toEqual([])
})

it('a request of another file is shown if any screen gives it to what shows it', () => {
  const made = { path: 'apps/console/src/features/a.ts', text: 'export const erasure = () => 1' }
  const sends = { path: 'apps/console/src/features/b.ts', text: 'sendRequest(erasure(row))' }
  const shows = { path: 'apps/console/src/features/c.tsx', text: '<Form request={erasure} />' }
  expect(checkCommands([made, sends]).problems).toHaveLength(1)
  expect(checkCommands([made, sends, shows]).problems).toEqual([])
})

it('the client itself sends anything', () => {
  expect(problemsOf('send(diskDelete, args)', 'apps/console/src/api/send.ts')).toEqual([])
})

it('a notification of a failure has the id of its request', () => {
  const path = 'apps/console/src/features/disks/Erase.tsx'
  const problems = (text: string) => checkFailures([{ path, text }]).problems
  expect(problems("addToast({ variant: 'error', title, content: errorMessage(error) })")).toHaveLength(1)
  expect(problems('addToast({\n  title,\n  content: failure(error).message,\n})')).toHaveLength(1)
  expect(problems("toastFailure('Could not erase', error)")).toEqual([])
  expect(problems('addToast({ title })\nsetProblem(errorMessage(error))')).toEqual([])
})
