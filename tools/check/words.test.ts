import { describe, expect, it } from 'vitest'
import { checkNames, checkSuppressions, outsideHosts, suppressions } from './words.ts'

// Spliced in, so that the checks do not find their own examples.
const slashes = '//'

describe('words in files', () => {
  it('lets files name this machine, examples and standards, and no other host', () => {
    const ours = [
      `http:${slashes}127.0.0.1:80/`,
      `https:${slashes}idp.example.com/x`,
      `http:${slashes}www.w3.org/2000/svg`,
    ]
    expect(outsideHosts(ours.join(' '))).toEqual([])
    expect(outsideHosts(`fetch('https:${slashes}cdn.elsewhere.io/x.js')`)).toEqual(['cdn.elsewhere.io'])
    expect(outsideHosts(`https:${slashes}$`)).toEqual([])
  })

  it('refuses vague names of files and folders', () => {
    const problems = (path: string) => checkNames([{ path, text: '' }]).problems
    expect(problems('packages/core/utils/a.ts')).toHaveLength(1)
    expect(problems('apps/server/helpers.ts')).toHaveLength(1)
    expect(problems('packages/core/resources/instances/instances.ts')).toEqual([])
  })

  it('wants the reason of a suppression on its line', () => {
    const text = [
      `${slashes} oxlint-disable-next-line no-shadow -- the inner name is the public one`,
      `${slashes} oxlint-disable-next-line no-shadow`,
      `${slashes} @ts-expect-error the wrong type is what is tested`,
    ].join('\n')
    expect(suppressions(text).map(({ reason }) => reason.length > 9)).toEqual([true, false, true])
    expect(checkSuppressions([{ path: 'packages/core/a.ts', text }]).problems).toHaveLength(1)
  })
})
