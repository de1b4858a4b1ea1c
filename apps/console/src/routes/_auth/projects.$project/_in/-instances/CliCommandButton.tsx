import { useState } from 'react'
import type { InstanceTarget } from '../../../../../parts/instance/update.ts'
import { Button } from '../../../../../ui/Button.tsx'
import { CopyCommandModal } from '../../../../../ui/CopyCommandModal.tsx'

/** 'CLI Command': the command line that opens this serial console. */
export function CliCommandButton({ target: { project, instance } }: { target: InstanceTarget }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        CLI Command
      </Button>
      {isOpen && (
        <CopyCommandModal
          title="CLI command"
          description="Opens this serial console in a terminal of your own."
          command={`purlin instance serial console --project ${project} --instance ${instance}`}
          onDismiss={() => setOpen(false)}
        />
      )}
    </>
  )
}
