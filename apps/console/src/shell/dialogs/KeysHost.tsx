import { useState } from 'react'
import { pageKeys, usePageKey } from '#/resource/list/pageKeys.ts'
import { useQuickActions } from '#/resource/actions/quickActions.ts'
import { lazyDialog } from '#/ui/overlay/lazyDialog.tsx'

const KeysDialog = lazyDialog(() => import('./KeysDialog.tsx'), 'KeysDialog')

/** Shows the keys of the page when their key is pressed. */
export function KeysHost() {
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  usePageKey('keys', open)
  useQuickActions([{ label: pageKeys.keys.does, group: 'Help', onAction: open }], 'layout')
  return isOpen && <KeysDialog onDismiss={() => setOpen(false)} />
}
