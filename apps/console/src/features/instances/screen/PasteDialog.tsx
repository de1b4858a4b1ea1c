import { useState } from 'react'
import { Button } from '#/ui/button/Button.tsx'
import { ListboxField } from '#/ui/field/ListboxField.tsx'
import { TextAreaField } from '#/ui/field/TextAreaField.tsx'
import { Modal } from '#/ui/overlay/Modal.tsx'
import { isLayout, layoutChoices, longestText, typed, type LayoutName, type Stroke } from './layouts.ts'

/** The layout that was chosen last: the next text is most likely for the same guest. */
let lastLayout: LayoutName = 'us'

export interface PasteDialogProps {
  onType: (characters: Stroke[][]) => void
  onDismiss: () => void
}

/** Asks for a text that the guest gets as keys, and says which characters no key has. */
export function PasteDialog({ onType, onDismiss }: PasteDialogProps) {
  const [text, setText] = useState('')
  const [layout, setLayout] = useState(lastLayout)
  const { strokes, missing } = typed(text, layout)
  const length = Array.from(text).length
  const problem = problemOf(length, missing)
  const type = () => {
    lastLayout = layout
    onType(strokes)
  }
  const reason = problem ?? (length === 0 ? 'There is no text yet' : undefined)
  const footer = (
    <>
      <Button onClick={onDismiss}>Cancel</Button>
      <Button variant="primary" disabledReason={reason} onClick={type}>
        Type text
      </Button>
    </>
  )
  return (
    <Modal title="Paste text as keys" width="medium" onDismiss={onDismiss} footer={footer}>
      <div className="flex flex-col gap-4">
        <TextAreaField
          label="Text"
          hint="The guest gets each character as a key, and each end of a line as Enter."
          rows={6}
          mono
          value={text}
          onChange={setText}
          error={problem}
          aside={`${length}/${longestText}`}
        />
        <ListboxField
          label="Keyboard layout of the guest"
          items={layoutChoices}
          value={layout}
          onChange={(value) => {
            if (isLayout(value)) setLayout(value)
          }}
        />
      </div>
    </Modal>
  )
}

const mostNamed = 10

function problemOf(length: number, missing: readonly string[]): string | undefined {
  if (length > longestText) return `The text has ${length} characters: at most ${longestText} are typed`
  if (missing.length === 0) return undefined
  const named = missing.slice(0, mostNamed).join(' ')
  const more = missing.length > mostNamed ? ` and ${missing.length - mostNamed} more` : ''
  return `This layout has no key for: ${named}${more}`
}
