import { describe, expect, it } from 'vitest'
import { keyFingerprint, keyParts } from './keyParts.ts'

const data = 'AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g'

describe('the parts of a public key', () => {
  it('its type and comment, which may be of several words or none', () => {
    expect(keyParts(`ssh-ed25519 ${data} Ada's laptop\n`)).toEqual({
      type: 'ssh-ed25519',
      data,
      comment: "Ada's laptop",
    })
    expect(keyParts(`ssh-ed25519 ${data}`).comment).toBe('')
  })
  it('the fingerprint that ssh-keygen -l prints', () =>
    expect(keyFingerprint(`ssh-ed25519 ${data} me`)).toBe(
      'SHA256:mKqU+0K8OhKmA8bBQi9Rz0Q5l7/g160hIP+rJYSTNj4',
    ))
  it('no fingerprint of what is no key', () => expect(keyFingerprint('ssh-ed25519 %%%')).toBe(''))
})
