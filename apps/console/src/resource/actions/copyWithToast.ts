import { copyText } from '#/ui/button/clipboard.ts'
import { addToast } from '#/ui/feedback/toast.ts'

/** Copies a text and shows a toast, also if the browser denies the clipboard. `what` names it, e.g. 'Project ID'. */
export async function copyWithToast(text: string, what: string): Promise<void> {
  if (await copyText(text)) addToast({ content: `${what} copied` })
  else addToast({ variant: 'error', title: 'Could not copy', content: text, timeout: null })
}
