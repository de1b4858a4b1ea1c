import { isTimeZone, utc } from '@purlin/contract/rules/time/zones'
import type { ComponentProps } from 'react'
import type { FieldValues } from 'react-hook-form'
import { browserZone } from '#/lib/input/localTime.ts'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'

/** The zone of the browser first, then UTC and the others. */
function zoneItems() {
  const own = browserZone()
  const others = Intl.supportedValuesOf('timeZone').filter((zone) => zone !== own && zone !== utc)
  return [...new Set([own, utc]), ...others].map((value) => ({ value, label: value }))
}

/** A time zone, by its name in the IANA database. */
export const TimeZoneControl = <V extends FieldValues>(
  props: Omit<ComponentProps<typeof ComboboxControl<V>>, 'items'>,
) => (
  <ComboboxControl
    items={zoneItems()}
    // Browsers accept more names than they list.
    allowCustom
    validate={(zone) => (isTimeZone(zone) ? undefined : 'Choose a time zone, such as Europe/Berlin')}
    {...props}
  />
)
