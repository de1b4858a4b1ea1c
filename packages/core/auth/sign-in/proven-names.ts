/** The names of people and groups that identity providers give, of any protocol. */
import { limits } from '@purlin/contract/rules/limits'

const { subject: longestSubject, groups: mostGroups } = limits.saml

/** The reason for refusing a subject; `none` if there is none. */
export function subjectProblem(subject: string | undefined, none: string): string | undefined {
  if (subject === undefined || subject === '') return none
  if (subject.length > longestSubject) return `the subject is longer than ${longestSubject} characters`
  return /\p{Cc}/u.test(subject) ? 'the subject has control characters' : undefined
}

/** The groups in values, each split at commas. Null if there are too many, too long ones, or control characters. */
export function groupsFrom(values: readonly string[]): string[] | null {
  const names = values.flatMap((value) => value.split(',')).map((name) => name.trim())
  const groups = [...new Set(names.filter((name) => name !== ''))]
  const isTooMuch =
    groups.length > mostGroups ||
    groups.some((name) => name.length > limits.silo.groupName || /\p{Cc}/u.test(name))
  return isTooMuch ? null : groups
}
