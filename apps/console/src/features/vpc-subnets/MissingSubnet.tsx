import type { ReactNode } from 'react'
import type { VpcTarget } from '#/lib/addresses.ts'
import { lazily } from '#/lib/lazily.tsx'
import { Missing } from '#/resource/form/Missing.tsx'
import { useRole } from '#/resource/role/useRole.ts'

const SubnetForm = lazily(() => import('./SubnetForm.tsx'), 'SubnetForm')

export interface MissingSubnetProps {
  scope: VpcTarget
  /** Gets the name of the subnet that is then created. */
  onMade: (name: string) => void
  children: ReactNode
}

/** Says that a VPC has no subnet to choose. */
export const MissingSubnet = ({ scope, onMade, children }: MissingSubnetProps) => (
  <Missing
    noun="subnet"
    lacks={useRole(scope.project).lacks('collaborator')}
    form={(close) => (
      <SubnetForm
        animate
        scope={scope}
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
