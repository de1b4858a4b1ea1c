import type { ReactNode, Ref } from 'react'
import { UiLink } from '#/ui/button/link.tsx'
import { useFoundReason } from '#/ui/overlay/useFoundReason.ts'
import type { PaletteGroup, PaletteItem } from './paletteItems.ts'

interface PaletteListProps {
  id: string
  groups: readonly PaletteGroup[]
  selected: number
  onPoint: (index: number) => void
  onDone: () => void
  ref: Ref<HTMLDivElement>
}

/** The list of the command palette. Focus stays in the search box; the chosen entry is only marked. */
export function PaletteList({ id, groups, selected, onPoint, onDone, ref }: PaletteListProps) {
  return (
    <div
      ref={ref}
      id={`${id}-list`}
      role="listbox"
      aria-label="Quick actions"
      className="max-h-96 scroll-py-8 overflow-y-auto px-2 not-empty:pb-2"
    >
      {groups.map(({ title, start, items }, group) => (
        <div key={title} role="group" aria-labelledby={`${id}-group-${group}`}>
          <div
            id={`${id}-group-${group}`}
            className="label-mono sticky top-0 bg-overlay px-2 pt-3 pb-1.5 normal-case"
          >
            {title}
          </div>
          {items.map((item, i) => {
            const own = start + i
            return (
              <Entry
                key={item.id ?? `${title}/${item.label}`}
                id={`${id}-${own}`}
                item={item}
                isSelected={own === selected}
                onPoint={() => onPoint(own)}
                onDone={onDone}
              />
            )
          })}
        </div>
      ))}
    </div>
  )
}

function Entry({
  id,
  item,
  isSelected,
  onPoint,
  onDone,
}: {
  id: string
  item: PaletteItem
  isSelected: boolean
  onPoint: () => void
  onDone: () => void
}) {
  const found = useFoundReason(item.findReason, isSelected)
  const disabledReason = item.disabledReason || found?.reason
  const detail = disabledReason || item.detail
  const shared = {
    id,
    role: 'option',
    'aria-selected': isSelected,
    tabIndex: -1,
    onPointerMove: () => !isSelected && onPoint(),
    className: `flex h-8 w-full items-center gap-2.5 rounded-md px-2 text-left [&>svg]:size-[15px] [&>svg]:shrink-0 ${isSelected ? 'bg-accent-soft text-accent-text' : disabledReason ? 'text-tertiary' : 'text-ink'}`,
  }
  const content: ReactNode = (
    <>
      {item.icon}
      <span className="max-w-full shrink-0 truncate">{item.label}</span>
      {detail && <span className="ml-auto truncate pl-3 text-hint text-secondary">{detail}</span>}
    </>
  )
  if (disabledReason)
    return (
      <button type="button" {...shared} aria-disabled>
        {content}
      </button>
    )
  if ('href' in item) {
    const follow = () => {
      item.onFollow?.()
      onDone()
    }
    return (
      <UiLink {...shared} href={item.href} onClick={(event) => !event.metaKey && !event.ctrlKey && follow()}>
        {content}
      </UiLink>
    )
  }
  const run = () => {
    onDone()
    item.onAction()
  }
  return (
    <button type="button" {...shared} onClick={run}>
      {content}
    </button>
  )
}
