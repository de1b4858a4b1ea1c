import { describe, expect, it } from 'vitest'
import { toBase64 } from '#/wire.ts'
import { sshKeyProblem, sshKeyTypes } from './ssh-key.ts'

const real = {
  'ssh-ed25519': 'AAAAC3NzaC1lZDI1NTE5AAAAIOnqPq0Bx62s1zG+kKN9dXpYrX5HbeYXI5591UAt47sZ',
  'ssh-rsa':
    'AAAAB3NzaC1yc2EAAAADAQABAAABAQDXK+z0KGvqkQnXN0ILm5zqjKV9Hx9RKG+XrqUJuaytNPxHgrqmBwVpSdz+DbhQPCKa68mQ6OOo+4gn7MZ02b5157S7DlQa8YIqaqfyo8h7JjHjJA5xg4ZpKyvWYfcYZTDwQPyF7jmkLjITB5ct/J5jNY8HJgZLEze573b6gItq5QyJIBR+T937ZxPtEyMVLl6TKpi1nVEYtTi2ZpvXZQt4PvtSC8+zB/r+ik2vRGR5UOQVwPBIDjOnHN1ahFSjA+KN8AiqptMck5fgoNQNxZ/xRYPH43AFdOC08J8rPXPNIdm5Q+t2AByDMc+z7A747O7VYuOB6xfHUnIouoZQyCX/',
  'ecdsa-sha2-nistp256':
    'AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBFUqm6k8G61u3dMt/lDdXbxSBhvyIfbdN5OAW67ISHTnsViKQGsK3VJSqBMzFIv7RPPncheKN/TYpONxzVIpFwY=',
  'ecdsa-sha2-nistp384':
    'AAAAE2VjZHNhLXNoYTItbmlzdHAzODQAAAAIbmlzdHAzODQAAABhBPVpEI8UFUgZGd4si/zervLbGCBJ0OBcDXGxw5bkaJXMnsHUEPFPzm0BpCn3txb1ttOQW5t9CoETevgc2KZODAhQvila+kP4sKQxYgYNgWC7/QQ+cwO7XuBYjSoZ7Xl/PQ==',
  'ecdsa-sha2-nistp521':
    'AAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlzdHA1MjEAAACFBAG1OGtTzNUDpkWNWHndLZsQ8jScujXSb6IqHc43oRPYxrsbVd1HmVhZLYbO6Rz/Ff0XrfOXfaQYNEUDfNgJ8stXcABAHloCDvMdsXa5laz9C+fd3woJ7JT7iniQI/4mqcrC76N2+XuwFxIa+Stmcql8raQ07PGk0l0zqm1Jm+nPRQP9Zg==',
}

const ascii = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
const bytes = (length: number, first = 4) => Uint8Array.from({ length }, (_, i) => (i === 0 ? first : 7))
const data = (...fields: Uint8Array[]) => {
  const parts = fields.flatMap((field) => [0, 0, field.length >> 8, field.length & 255, ...field])
  return toBase64(Uint8Array.from(parts))
}
const made = (type: string, ...fields: Uint8Array[]) => `${type} ${data(ascii(type), ...fields)}`
const damaged = 'the key is damaged: its data does not have the form of its type'

describe('SSH public keys', () => {
  it.each(Object.entries(real))('a key of type %s as ssh-keygen writes it is fine', (type, base64) => {
    expect(sshKeyProblem(`${type} ${base64}`)).toBeUndefined()
    expect(sshKeyProblem(`${type} ${base64} me@laptop of 2026`)).toBeUndefined()
  })

  it('keys that live in a security token are fine', () => {
    const application = ascii('ssh:')
    expect(sshKeyProblem(made('sk-ssh-ed25519@openssh.com', bytes(32), application))).toBeUndefined()
    const point = [ascii('nistp256'), bytes(65)]
    expect(sshKeyProblem(made('sk-ecdsa-sha2-nistp256@openssh.com', ...point, application))).toBeUndefined()
  })

  it('space and a line end around the key are no problem', () => {
    expect(sshKeyProblem(`  ssh-ed25519\t${real['ssh-ed25519']}  me@laptop\r\n`)).toBeUndefined()
  })

  it('an empty text is not a key', () => {
    expect(sshKeyProblem(' \n')).toBe('a public key is needed')
  })

  it.each([
    '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n-----END OPENSSH PRIVATE KEY-----',
    '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----',
    `PuTTY-User-Key-File-3: ssh-ed25519\n${'x'.repeat(2000)}`,
  ])('the refusal of a private key says so without repeating it', (text) => {
    expect(sshKeyProblem(text)).toBe(
      'this is a private key: keep it secret and give the public key instead, usually the file that ends with .pub',
    )
  })

  it('only one key is taken', () => {
    const line = `ssh-ed25519 ${real['ssh-ed25519']}`
    expect(sshKeyProblem(`${line}\n${line}`)).toBe(
      'a public key is a single line: type, key and an optional comment',
    )
  })

  it('1023 characters are the limit', () => {
    const line = `ssh-ed25519 ${real['ssh-ed25519']} `
    expect(sshKeyProblem(line + 'c'.repeat(1023 - line.length))).toBeUndefined()
    expect(sshKeyProblem(line + 'c'.repeat(1024 - line.length))).toBe(
      'a public key may contain at most 1023 characters, this one has 1024',
    )
  })

  it.each(['ssh-dss', 'ssh-ed25519-cert-v01@openssh.com', 'from="10.0.0.1"', 'hello', 'constructor'])(
    'the type %s is not taken',
    (type) => {
      expect(sshKeyProblem(`${type} ${real['ssh-ed25519']}`)).toBe(
        `a public key begins with its type, one of ${sshKeyTypes.join(', ')}`,
      )
    },
  )

  it('a type without data is not a key', () => {
    expect(sshKeyProblem('ssh-ed25519')).toBe('the key itself is missing after "ssh-ed25519"')
  })

  it.each(['@@@@', 'AAAAC3NzaC1lZDI1NTE5AAA', 'AAAA-_=='])('%s is not base64', (base64) => {
    expect(sshKeyProblem(`ssh-ed25519 ${base64}`)).toBe('the key is damaged: it is not base64')
  })

  it('the type before the key and the type in it must agree', () => {
    expect(sshKeyProblem(`ssh-rsa ${real['ssh-ed25519']}`)).toBe(
      'the type says "ssh-rsa" but the key itself is of another type',
    )
    const curve = made('ecdsa-sha2-nistp256', ascii('nistp384'), bytes(65))
    expect(sshKeyProblem(curve)).toBe(damaged)
  })

  it.each([
    ['cut short', `ssh-ed25519 ${real['ssh-ed25519'].slice(0, -4)}`],
    ['cut in a length', `ssh-ed25519 ${toBase64(Uint8Array.from([0, 0, 0]))}`],
    ['of the wrong length', made('ssh-ed25519', bytes(31))],
    ['with something behind it', made('ssh-ed25519', bytes(32), bytes(1))],
    ['without its fields', made('ssh-rsa')],
    ['with an empty field', made('ssh-rsa', bytes(0), bytes(257))],
  ])('data %s is refused', (_, key) => {
    expect(sshKeyProblem(key)).toBe(damaged)
  })

  it('an RSA key needs 2048 bits', () => {
    const rsa = (modulus: Uint8Array) => sshKeyProblem(made('ssh-rsa', bytes(3, 1), modulus))
    const zeroAnd = (rest: Uint8Array) => Uint8Array.from([0, ...rest])
    expect(rsa(zeroAnd(bytes(256, 0x80)))).toBeUndefined()
    expect(rsa(zeroAnd(bytes(128, 0xc4)))).toBe('an RSA key needs at least 2048 bits, this one has 1024')
    expect(rsa(bytes(256, 0x7f))).toBe('an RSA key needs at least 2048 bits, this one has 2047')
    expect(rsa(Uint8Array.from([0, 0]))).toBe('an RSA key needs at least 2048 bits, this one has 0')
  })
})
