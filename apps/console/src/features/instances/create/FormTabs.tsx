import { type ReactNode, useId } from 'react'
import { cx } from '#/lib/text.ts'
import { moveTab } from '#/ui/layout/Tabs.tsx'

/** Tabs whose selection is a form value and not part of the address. */
export function FormTabs<T extends string>({
  label,
  tabs,
  value,
  onChange,
  children,
}: {
  label: string
  tabs: readonly { value: T; label: string }[]
  value: T
  onChange: (value: T) => void
  children: ReactNode
}) {
  const id = useId()
  return (
    <div>
      <div
        role="tablist"
        aria-label={label}
        onKeyDown={moveTab}
        className="flex gap-0.5 overflow-x-auto border-b border-line pt-px"
      >
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab.value === value}
            aria-controls={tab.value === value ? `${id}-panel` : undefined}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => tab.value !== value && onChange(tab.value)}
            className={cx(
              'relative shrink-0 rounded-t-md px-3 pt-2 pb-2.5 -outline-offset-2 after:absolute after:inset-x-0 after:bottom-0 after:h-0.5',
              tab.value === value
                ? 'font-medium text-ink after:bg-accent'
                : 'text-secondary hover:text-ink hover:after:bg-line-strong',
            )}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${value}`}
        className="flex flex-col gap-[18px] pt-4"
      >
        {children}
      </div>
    </div>
  )
}
