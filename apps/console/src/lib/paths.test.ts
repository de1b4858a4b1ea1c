import { describe, expect, it } from 'vitest'
import { isActiveNav, isActivePath } from './paths.ts'

describe('active links', () => {
  it('a link is active at its path and below it', () => {
    expect(isActivePath('/a/b', '/a/b')).toBe(true)
    expect(isActivePath('/a/b/c', '/a/b')).toBe(true)
    expect(isActivePath('/a/bc', '/a/b')).toBe(false)
  })
  it('a prefix widens it', () => {
    expect(isActivePath('/a/metrics/disk', '/a/metrics/cpu', '/a/metrics')).toBe(true)
  })
  it('query and fragment do not count', () => {
    expect(isActivePath('/a', '/a?tab=x')).toBe(true)
  })
  it('a list stays active while its form is open', () => {
    expect(isActiveNav('/projects-new', '/projects')).toBe(true)
    expect(isActiveNav('/projectile', '/projects')).toBe(false)
  })
})
