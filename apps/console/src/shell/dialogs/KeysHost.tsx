import { useState } from 'react'
import { pageKeys, usePageKey } from '#/resource/list/pageKeys.ts'
import { useQuickActions } from '#/resource/actions/quickActions.ts'
import { lazily } from '#/lib/lazily.tsx'

const KeysDialog = lazily(() => import('./KeysDialog.tsx'), 'KeysDialog')

/** Shows the keys of the page when their key is pressed. */
export function KeysHost() {
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  usePageKey('keys', open)
  useQuickActions([{ label: pageKeys.keys.does, group: 'Help', onAction: open }], 'layout')
  return isOpen && <KeysDialog onDismiss={() => setOpen(false)} />
}
