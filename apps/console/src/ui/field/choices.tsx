import type { ReactNode } from 'react'

/** One thing that can be chosen. */
export interface Choice {
  value: string
  /** What is searched and shown. */
  label: string
  /** A second, dimmer line in the list. */
  description?: ReactNode
  /** What the closed control shows when it should be shorter than the label. */
  selectedLabel?: ReactNode
  /** Stands at the right of the list line, for instance a badge. */
  aside?: ReactNode
}

/** The look of one line in a list of choices. */
export const choiceClass =
  'flex w-full cursor-default items-center gap-2 rounded-sm px-2.5 py-1.5 text-ink outline-none data-[focused]:bg-selected data-[hovered]:bg-selected data-[selected]:text-accent-text data-[disabled]:text-tertiary'

/** The content of one line in a list of choices. */
export function ChoiceLine({ choice }: { choice: Choice }) {
  return (
    <>
      <span className="min-w-0 grow">
        <span className="block truncate">{choice.label}</span>
        {choice.description && (
          <span className="block truncate text-hint text-secondary">{choice.description}</span>
        )}
      </span>
      {choice.aside}
    </>
  )
}
