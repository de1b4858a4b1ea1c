import ChevronDown from 'lucide-react/icons/chevron-down'
import { useId } from 'react'
import { cx } from '#/lib/text.ts'
import { keptChoice, useStore } from '#/lib/store.ts'
import { PropertyRows, PropertyValue, type Property } from './PropertiesTable.tsx'

/** The characters of a text that has a place in the line of the main properties. */
export const inLine = 60

const detailsStore = keptChoice('purlin-details', ['closed', 'open'])

/**
 * The properties above the tabs of a page: the main ones in one line, the rest below it on demand, so that the tabs
 * begin near the top. Whether the rest is open is kept per browser. Without `rest`, it is the line alone.
 */
export function Summary({ main, rest }: { main: readonly Property[]; rest?: readonly Property[] }) {
  const isOpen = useStore(detailsStore) === 'open'
  const id = useId()
  return (
    <div
      role="group"
      aria-label="Properties table"
      className="overflow-hidden rounded-lg border border-line bg-raised"
    >
      <div className="flex items-start gap-4 px-4 py-2.5 max-frame:flex-col max-frame:gap-2">
        <dl className="flex min-w-0 grow flex-wrap gap-x-7 gap-y-2 max-roomy:gap-x-5 max-frame:grid max-frame:w-full max-frame:grid-cols-2">
          {main.map(({ label, value, isLong = false }) => (
            <div key={label} className={cx('min-w-0', isLong && 'max-frame:col-span-2')}>
              <dt className="label-mono">{label}</dt>
              <dd className="flex min-h-6 min-w-0 items-center">
                <PropertyValue value={value} />
              </dd>
            </div>
          ))}
        </dl>
        {rest && (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => detailsStore.set(isOpen ? 'closed' : 'open')}
            className="flex h-control-sm shrink-0 items-center gap-1 rounded-md px-2 text-hint text-secondary max-frame:-ml-2 hover:bg-hover hover:text-ink"
          >
            Details
            <ChevronDown
              size={14}
              aria-hidden
              className={cx('transition-transform', isOpen && 'rotate-180')}
            />
          </button>
        )}
      </div>
      {rest && (
        <div id={id} hidden={!isOpen} className="border-t border-line-faint">
          {isOpen && <PropertyRows properties={rest} />}
        </div>
      )}
    </div>
  )
}
