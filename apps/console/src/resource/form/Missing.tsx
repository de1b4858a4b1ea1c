import { type ReactNode, useState } from 'react'
import { useRole } from '#/resource/role/useRole.ts'
import { withArticle } from '#/lib/text.ts'
import { Button } from '#/ui/button/Button.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'

export interface MissingProps {
  /** The kind of resource that does not exist yet. */
  noun: string
  /** 'Create' unless given. */
  verb?: string
  /** Why the user cannot create one. */
  lacks: string | undefined
  /** The form that creates one. It opens above the form that needs it, which keeps its values. */
  form: (close: () => void) => ReactNode
  /** The effect on the form that needs it. */
  children?: ReactNode
}

/** Says that a form needs something that does not exist yet, and leads to its form and back. */
export function Missing({ children, ...of }: MissingProps) {
  return (
    <Notice>
      <p>{children}</p>
      <CreateMissing {...of} />
    </Notice>
  )
}

/** The advice for those who may not create one. */
const askFor = (noun: string): string => `Ask an administrator for ${withArticle(noun)}.`

/** The button that creates it; for others, whom to ask. */
export function CreateMissing({ noun, verb = 'Create', lacks, form }: Omit<MissingProps, 'children'>) {
  const [isOpen, setOpen] = useState(false)
  if (lacks !== undefined) return <p>{askFor(noun)}</p>
  return (
    <>
      <Button size="small" className="mt-2" onClick={() => setOpen(true)}>
        {`${verb} ${noun}`}
      </Button>
      {isOpen && form(() => setOpen(false))}
    </>
  )
}

/** How to get one; for those who may not make one, whom to ask. */
export function HowToGet({
  noun,
  project,
  children,
}: {
  noun: string
  project: string
  children: ReactNode
}) {
  return useRole(project).lacks('collaborator') === undefined ? children : askFor(noun)
}
