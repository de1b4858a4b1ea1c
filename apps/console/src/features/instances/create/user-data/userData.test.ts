import { describe, expect, it } from 'vitest'
import { bytesOf } from '@purlin/contract/rules/user-data/texts'
import { fileProblem, textProblem, userDataOf } from './userData.ts'

const file = (text: string) => new File([text], 'init.yaml')

it('has at most 32 KiB, as a text and as a file', async () => {
  expect(await textProblem('x'.repeat(32_768))).toBeUndefined()
  // Each of these letters has two bytes.
  expect(await textProblem('é'.repeat(20_480))).toBe('Can be at most 32 KiB, this text has 40 KiB')
  expect(await fileProblem(null)).toBeUndefined()
  expect(await fileProblem(file('x'.repeat(32_768)))).toBeUndefined()
  expect(await fileProblem(file('x'.repeat(40_960)))).toBe('Can be at most 32 KiB, this file has 40 KiB')
})

it('is the file, or else the text', async () => {
  const userDataText = 'né'
  const typed = await userDataOf({ userData: null, userDataText })
  expect(typed).toEqual(new Uint8Array([0x6e, 0xc3, 0xa9]))
  expect(typed).toHaveLength(bytesOf(userDataText))
  expect(await userDataOf({ userData: file('a'), userDataText })).toEqual(new Uint8Array([0x61]))
  expect(await userDataOf({ userData: null, userDataText: '' })).toBeUndefined()
})

describe('settings of cloud-init', () => {
  it.each([
    '#cloud-config',
    '#cloud-config\npackages: [nginx]\nruncmd:\n  - echo "hello"\n',
    '#cloud-config\r\nssh_pwauth: no\r\nssh_pwauth: yes\r\n',
    '#cloud-config-archive\n- type: text/x-shellscript',
    '#!/bin/sh\necho "a: [" > b',
  ])('%j is fine', async (text) => expect(await textProblem(text)).toBeUndefined())
  it.each([
    ['#cloud-config\npackages: [nginx\nruncmd: 1', /^Line [34]: /],
    ['#cloud-config\nusers:\n\t- anna', /^Line 3: /],
    ['#cloud-config\n- nginx', /^Line 2: it must have settings by name/],
  ])('%j is not', async (text, problem) => {
    expect(await textProblem(text)).toMatch(problem)
    expect(await fileProblem(file(text))).toMatch(problem)
  })
})
