import { useState } from 'react'
import type { InstanceTarget } from '#/features/instance-state/update.ts'
import { Button } from '#/ui/button/Button.tsx'
import { lazily } from '#/lib/lazily.tsx'

const CopyCommandModal = lazily(() => import('#/ui/overlay/CopyCommandModal.tsx'), 'CopyCommandModal')

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
          description="Run this command to open the serial console in your own terminal."
          command={`purlin instance serial console --project ${project} --instance ${instance}`}
          onDismiss={() => setOpen(false)}
        />
      )}
    </>
  )
}
