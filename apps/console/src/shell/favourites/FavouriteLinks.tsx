import X from 'lucide-react/icons/x'
import { useRef } from 'react'
import { useStore } from '#/lib/store.ts'
import { openPalette } from '#/resource/address/palette.ts'
import { favouriteStore, toggleFavourite, type Place } from '#/resource/address/recent.ts'
import { Button } from '#/ui/button/Button.tsx'
import { IconButton } from '#/ui/button/IconButton.tsx'
import { NavGroup } from '#/ui/frame/Sidebar.tsx'

/** as many as the sidebar shows; quick actions list all */
const most = 7

/** The pages that the user starred last, in the sidebar. */
export function FavouriteLinks() {
  const box = useRef<HTMLDivElement>(null)
  const favourites = useStore(favouriteStore)
  const remove = ({ href }: Place, index: number) => {
    const removals = box.current?.querySelectorAll<HTMLElement>('[data-removal]') ?? []
    const next = removals[index + 1] ?? removals[index - 1]
    const first = box.current?.closest('nav')?.querySelector<HTMLElement>('a')
    ;(next ?? first)?.focus()
    toggleFavourite(href, [])
  }
  const items = favourites.slice(0, most).map((place, index) => ({
    label: place.label,
    href: place.href,
    exact: true,
    aside: (
      <span className="ml-auto min-w-0 truncate text-xs text-secondary">
        {place.detail.split(' / ').at(-1)}
      </span>
    ),
    after: (
      <IconButton
        data-removal
        label={`Remove ${place.label} from favourites`}
        size="tiny"
        onClick={() => remove(place, index)}
      >
        <X size={12} aria-hidden />
      </IconButton>
    ),
  }))
  return (
    <div ref={box} className="mt-2 border-t border-line-faint pt-1">
      <NavGroup title="Favourites" items={items} />
      {favourites.length > most && (
        <Button variant="ghost" size="small" onClick={openPalette}>
          All {favourites.length} favourites
        </Button>
      )}
    </div>
  )
}
