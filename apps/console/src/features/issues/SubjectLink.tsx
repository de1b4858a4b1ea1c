import { TextLink } from '#/ui/button/link.tsx'
import { addressOfSubject, type Issue } from './subject.ts'

/** The name of the subject of an issue or alert, as a link to its page if it has one. */
export function SubjectLink({ subject }: Pick<Issue, 'subject'>) {
  const href = addressOfSubject(subject)
  return href === undefined ? subject.name : <TextLink href={href}>{subject.name}</TextLink>
}

/** A sentence about a subject, whose name in it is the link. */
export function LinkedText({ text, subject }: { text: string; subject: Issue['subject'] }) {
  const at = text.indexOf(subject.name)
  if (at < 0)
    return (
      <>
        {text} <SubjectLink subject={subject} />
      </>
    )
  return (
    <>
      {text.slice(0, at)}
      <SubjectLink subject={subject} />
      {text.slice(at + subject.name.length)}
    </>
  )
}
