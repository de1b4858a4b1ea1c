import type { ReactNode } from 'react'
import { Text } from 'react-aria-components/Text'

/** An option. */
export interface Choice {
  value: string
  /** The text to search and show. */
  label: string
  /** A second, dimmer line in the list. */
  description?: ReactNode
  /** The text of the closed control, if it should be shorter than the label. */
  selectedLabel?: ReactNode
  /** Shown at the right of the list line, for instance a badge. */
  aside?: ReactNode
}

/** The look of one line in a list of choices. */
export const choiceClass =
  'flex w-full cursor-default items-center gap-2 rounded-sm px-2.5 py-1.5 text-ink outline-none data-[focused]:bg-selected data-[hovered]:bg-selected data-[selected]:text-accent-text data-[disabled]:text-tertiary'

/** The content of one line in a list of choices: its label names it, all else describes it. */
export function ChoiceLine({ choice: { label, description, aside } }: { choice: Choice }) {
  return (
    <span className="grid min-w-0 grow grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2">
      <span className="truncate">{label}</span>
      {(description || aside) && (
        // Hidden from the content, so that it is read once, as the description.
        <Text slot="description" aria-hidden className="contents">
          {description && (
            <span className="col-start-1 truncate text-hint text-secondary">{description}</span>
          )}
          {aside && <span className="col-start-2 row-span-2 row-start-1">{aside}</span>}
        </Text>
      )}
    </span>
  )
}
