import { TextLink } from '#/ui/button/link.tsx'
import { addressOfSubject, type Issue } from './subject.ts'

/** The name of the subject of an issue or alert, as a link to its page if it has one. */
export function SubjectLink({ subject }: Pick<Issue, 'subject'>) {
  const href = addressOfSubject(subject)
  return href === undefined ? subject.name : <TextLink href={href}>{subject.name}</TextLink>
}
