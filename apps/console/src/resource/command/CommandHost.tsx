import { useEffect, useState } from 'react'
import type { ShownRequest } from '#/api/request.ts'
import { useStore } from '#/lib/store.ts'
import { ListboxField } from '#/ui/field/ListboxField.tsx'
import { CommandDialog } from './CommandDialog.tsx'
import { commandStore, requestsBy, type ShownAction } from './commands.ts'

const close = () => commandStore.set(null)

/** Shows the actions that a menu has opened the dialog for. */
export function CommandHost() {
  const actions = useStore(commandStore)
  return actions ? <OfActions actions={actions} /> : null
}

function OfActions({ actions }: { actions: readonly ShownAction[] }) {
  const [label, setLabel] = useState(actions[0]?.label ?? '')
  // Making them may take a while: the requests and the action that they belong to change together.
  const [shown, setShown] = useState<{ of: string; requests: readonly ShownRequest[] }>()
  useEffect(() => {
    let isOver = false
    const show = (requests: readonly ShownRequest[] | undefined) => {
      if (isOver) return
      if (requests) setShown({ of: label, requests })
      else close()
    }
    const chosen = actions.find((one) => one.label === label)
    if (chosen) void requestsBy(chosen.requests).then(show)
    return () => {
      isOver = true
    }
  }, [actions, label])
  if (!shown) return null
  return (
    <CommandDialog {...shown} onDismiss={close}>
      {actions.length > 1 && (
        <div>
          <ListboxField
            label="Action"
            required
            items={actions.map((one) => ({ value: one.label, label: one.label }))}
            value={label}
            onChange={setLabel}
          />
        </div>
      )}
    </CommandDialog>
  )
}
