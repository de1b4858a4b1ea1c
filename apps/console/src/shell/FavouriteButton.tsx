import Star from 'lucide-react/icons/star'
import { useStore } from '#/lib/store.ts'
import { favouriteStore, mostFavourites, toggleFavourite } from '#/resource/address/recent.ts'
import { IconButton } from '#/ui/button/IconButton.tsx'
import { useQuickActions } from '#/resource/actions/quickActions.ts'
import { Tooltip } from '#/ui/overlay/Tooltip.tsx'
import { useCrumbs } from './useCrumbs.ts'

/** Stars the page, for the palette. */
export function FavouriteButton() {
  const { bar } = useCrumbs()
  const favourites = useStore(favouriteStore)
  const href = bar.at(-1)?.href
  const isStarred = favourites.some((one) => one.href === href)
  const isFull = !isStarred && favourites.length >= mostFavourites
  const does = isStarred ? 'Remove this page from your favourites' : 'Add this page to your favourites'
  const full = `You have ${mostFavourites} favourites, which is the limit. Remove one first.`
  const toggle = () =>
    href !== undefined &&
    toggleFavourite(
      href,
      bar.map(({ label }) => label),
    )
  const action = {
    id: `favourite ${href}`,
    label: does,
    group: 'Page',
    onAction: toggle,
    disabledReason: isFull ? full : undefined,
  }
  useQuickActions(href === undefined ? [] : [action], 'layout')
  if (href === undefined) return null
  return (
    <Tooltip content={isFull ? full : does} describes={isFull}>
      <IconButton
        label="Favourite"
        size="small"
        aria-pressed={isStarred}
        aria-disabled={isFull || undefined}
        onClick={() => !isFull && toggle()}
      >
        <Star size={14} aria-hidden fill={isStarred ? 'currentColor' : 'none'} />
      </IconButton>
    </Tooltip>
  )
}
