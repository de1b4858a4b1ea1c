import Ban from 'lucide-react/icons/ban'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleDashed from 'lucide-react/icons/circle-dashed'
import CircleX from 'lucide-react/icons/circle-x'
import RotateCw from 'lucide-react/icons/rotate-cw'
import type { LucideIcon } from 'lucide-react'
import Wrench from 'lucide-react/icons/wrench'
import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { moveFrom } from '#/lib/geometry/moves.ts'
import { cx } from '#/lib/text.ts'
import { UiLink } from '#/ui/button/link.tsx'
import {
  describe,
  loadOf,
  stateWords,
  type Bay,
  type LoadOf,
  type Part,
  type PartState,
  type Place,
} from './places.ts'

interface DrawingProps {
  places: readonly Place[]
  load: LoadOf
  /** Accessible name. */
  label: string
}

const placeOf = (target: EventTarget): string | undefined =>
  target instanceof Element ? target.closest<HTMLElement>('[data-place]')?.dataset['place'] : undefined

/** A rack from its front. Arrow keys lead from part to part, and each part to its page. Narrow windows have a list. */
export function Drawing({ places, load, label }: DrawingProps) {
  const hint = useId()
  const list = useRef<HTMLUListElement>(null)
  const [stop, setStop] = useState<string>()
  const [pointed, setPointed] = useState<string>()
  const filled = places.filter(({ part }) => part)
  const tabStop = filled.some(({ key }) => key === stop) ? stop : filled[0]?.key
  const shown = places.find(({ key }) => key === pointed)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || tabStop === undefined) return
    const to = moveFrom(tabStop, event.key, new Map(filled.map(({ key, box }) => [key, box])))
    if (to === undefined) return
    event.preventDefault()
    list.current?.querySelector<HTMLElement>(`[data-place="${to}"] a`)?.focus()
  }
  return (
    <div>
      <p id={hint} className="mb-2 min-h-10 text-hint wrap-anywhere text-secondary">
        {shown ? describe(shown) : 'Arrow keys move between places. Each leads to its page.'}
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it acts for the links in it */}
      <ul
        ref={list}
        aria-label={label}
        aria-describedby={hint}
        onKeyDown={onKeyDown}
        onFocus={({ target }) => {
          setStop(placeOf(target))
          setPointed(placeOf(target))
        }}
        onBlur={() => setPointed(undefined)}
        onPointerOver={({ target }) => setPointed(placeOf(target))}
        onPointerLeave={() => setPointed(undefined)}
        className="drafting-grid grid max-w-4xl gap-1.5 rounded-lg border-2 border-line-strong bg-page p-3 split:grid-cols-2"
      >
        {places.map((place) => (
          <li
            key={place.key}
            className={cx(
              'min-w-0',
              place.box.width === 2 && 'split:col-span-2',
              !place.part && 'max-split:hidden',
            )}
            data-place={place.key}
          >
            {place.part ? (
              <Filled place={place} part={place.part} load={load} isStop={place.key === tabStop} />
            ) : (
              <Empty label={place.label} />
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

const Empty = ({ label }: { label: string }) => (
  <div className="flex h-full min-h-6 items-center rounded-md border border-line-faint bg-page px-2.5">
    <span className="mono text-tertiary">
      {label}
      <span className="sr-only">: empty</span>
    </span>
  </div>
)

const looks: Record<PartState, { Icon: LucideIcon; text: string; frame: string }> = {
  inService: { Icon: CircleCheck, text: 'text-ok', frame: 'border-line-strong' },
  closed: { Icon: Ban, text: 'text-idle', frame: 'border-line-strong' },
  maintenance: { Icon: Wrench, text: 'text-note', frame: 'border-2 border-double border-note' },
  restarting: { Icon: RotateCw, text: 'text-note', frame: 'border-2 border-dashed border-note' },
  missing: { Icon: CircleX, text: 'text-danger', frame: 'border-2 border-danger' },
  new: { Icon: CircleDashed, text: 'text-secondary', frame: 'border-dashed border-line-strong' },
}

function Filled({ place, part, load, isStop }: { place: Place; part: Part; load: LoadOf; isStop: boolean }) {
  const { Icon, text, frame } = looks[part.state]
  const share = loadOf(part, load)
  return (
    <UiLink
      href={part.href}
      tabIndex={isStop ? 0 : -1}
      className={cx(
        'relative flex h-12 flex-col justify-center gap-1 overflow-hidden rounded-md border bg-raised px-2.5 hover:bg-hover focus-visible:outline-2 focus-visible:outline-focus',
        frame,
      )}
    >
      {share !== undefined && share > 0 && (
        <span className="absolute bottom-0 left-0 h-1 bg-accent" style={{ width: `${100 * share}%` }} />
      )}
      {part.state === 'missing' && <Cross />}
      {/* The spaces separate the words of its name. */}
      <span className="relative flex items-center gap-2">
        <span className="mono w-16 shrink-0 text-tertiary">{place.label} </span>
        <span className="mono min-w-0 truncate font-medium text-ink">{part.serial} </span>
        <span className={cx('ml-auto flex shrink-0 items-center gap-1 text-hint', text)}>
          <Icon size={13} aria-hidden />
          {stateWords[part.state]}{' '}
        </span>
        {share !== undefined && (
          <span className="mono w-9 shrink-0 text-right">
            {Math.round(100 * share)}%<span className="sr-only"> of the {load} reserved </span>
          </span>
        )}
      </span>
      <span className="relative flex h-3.5 items-center gap-2">
        <span className="w-16 shrink-0" />
        <Bays bays={part.bays} />
        <Links links={part.links} />
        {part.note && <span className="shrink-0 text-hint text-note">{part.note}</span>}
        {part.faults.length > 0 && (
          <span className="min-w-0 truncate text-hint font-medium text-danger">{part.faults.join(', ')}</span>
        )}
      </span>
      {part.progress !== undefined && (
        <span className="absolute inset-x-0 bottom-0 h-1 bg-note-soft">
          <span
            className="bar-fill block h-full bg-note transition-[width] duration-(--medium)"
            style={{ width: `${100 * part.progress}%` }}
          />
        </span>
      )}
    </UiLink>
  )
}

/** Through a part that does not answer. */
const Cross = () => (
  <svg aria-hidden className="absolute inset-0 size-full stroke-danger opacity-35">
    <line x1="0" y1="0" x2="100%" y2="100%" />
    <line x1="0" y1="100%" x2="100%" y2="0" />
  </svg>
)

/** The disks of a sled: one that fails has a cross, one that is missing is an empty bay. */
const Bays = ({ bays }: { bays: readonly Bay[] }) =>
  bays.length > 0 && (
    <svg aria-hidden width={bays.length * 9} height="12" className="shrink-0 fill-none stroke-1">
      {bays.map(({ id, health }, i) => (
        <g
          key={id}
          transform={`translate(${i * 9 + 0.5} 0.5)`}
          className={health === 'ok' ? 'stroke-tertiary' : 'stroke-danger'}
        >
          <rect width="6" height="11" rx="1" strokeDasharray={health === 'missing' ? '2 1.5' : undefined} />
          {(health === 'failing' || health === 'failed') && <path d="M0 0L6 11M0 11L6 0" strokeWidth="1.5" />}
        </g>
      ))}
    </svg>
  )

/** Network links: a full dot is up, a hollow one down. */
const Links = ({ links }: { links: readonly boolean[] }) =>
  links.length > 0 && (
    <svg aria-hidden width={links.length * 9} height="12" className="shrink-0 stroke-1">
      {links.map((isUp, i) => (
        <circle
          key={i}
          cx={i * 9 + 4}
          cy="6"
          r="3"
          className={isUp ? 'fill-ok stroke-ok' : 'fill-none stroke-danger'}
        />
      ))}
    </svg>
  )
