import { describe, expect, it } from 'vitest'
import { certificateBody, emptyCertificate, fileProblem, wrongFile } from './form.ts'

describe('the form of a certificate', () => {
  const file = (text: string) => new File([text], 'web.pem')

  it('sends the texts of its files', async () => {
    const named = { name: 'web', description: 'of the console' }
    expect(await certificateBody({ ...named, cert: file('chain'), key: file('secret') })).toEqual({
      ...named,
      cert: 'chain',
      key: 'secret',
      service: 'external_api',
    })
    await expect(certificateBody(emptyCertificate)).rejects.toThrow('Choose the files')
  })

  it('takes files that the API would take', () => {
    expect(fileProblem(null)).toBeUndefined()
    expect(fileProblem(file('x'.repeat(64 * 1024)))).toBeUndefined()
    expect(fileProblem(file('x'.repeat(64 * 1024 + 1)))).toBe('The file may have at most 64 KiB')
  })

  it('knows what an error says about a file', () => {
    const said = (message: string) => wrongFile(new Error(message))
    expect(said('unsupported value for "certificate": Certificate not valid: it has a.b')).toBe(
      'Certificate not valid: it has a.b',
    )
    expect(said('unsupported value for "private-key": Failed to parse private key')).toBe(
      'Failed to parse private key',
    )
    expect(said('unsupported value for "name": no')).toBeUndefined()
    expect(wrongFile('no error')).toBeUndefined()
  })
})
