import type { ReactNode } from 'react'
import { lazily } from '#/lib/lazily.tsx'
import { Missing } from '#/resource/form/Missing.tsx'
import { useRole } from '#/resource/role/useRole.ts'

const VpcForm = lazily(() => import('./VpcForm.tsx'), 'VpcForm')

export interface MissingVpcProps {
  project: string
  /** Gets the name of the VPC that is then created. */
  onMade: (name: string) => void
  children: ReactNode
}

/** Says that a project has no VPC to choose. */
export const MissingVpc = ({ project, onMade, children }: MissingVpcProps) => (
  <Missing
    noun="VPC"
    lacks={useRole(project).lacks('collaborator')}
    form={(close) => (
      <VpcForm
        animate
        scope={{ project }}
        onCreated={({ name }) => {
          onMade(name)
          close()
        }}
        onDismiss={close}
      />
    )}
  >
    {children}
  </Missing>
)
