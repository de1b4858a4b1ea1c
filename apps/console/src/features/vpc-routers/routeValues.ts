/** A route as its form holds it. */
import { mixesFamilies } from '@purlin/contract/rules/network/routes'
import { validateIpNet, validateIpWithoutZone } from '#/lib/input/ip.ts'
import type { Route } from './queries.ts'

type Destination = Route['destination']
type Target = Route['target']

export interface RouteValues {
  name: string
  description: string
  destinationType: Destination['type']
  destination: string
  targetType: Target['type']
  target: string
}

export const emptyRoute: RouteValues = {
  name: '',
  description: '',
  destinationType: 'ip',
  destination: '',
  targetType: 'ip',
  target: '',
}

export const valuesOf = ({ name, description, destination, target }: Route): RouteValues => ({
  name,
  description,
  destinationType: destination.type,
  destination: destination.value,
  targetType: target.type,
  target: target.type === 'drop' ? '' : target.value,
})

/** Destination and target as requests have them. */
export const wayOf = (values: RouteValues): Pick<Route, 'destination' | 'target'> => ({
  destination: { type: values.destinationType, value: values.destination.trim() },
  target:
    values.targetType === 'drop'
      ? { type: 'drop' }
      : { type: values.targetType, value: values.target.trim() },
})

/** The problem with the text of an end: an address or a network; names are chosen from lists. */
export function endComplaint(type: Destination['type'] | Target['type'], text: string): string | undefined {
  if (type === 'ip') return validateIpWithoutZone(text)
  return type === 'ip_net' ? validateIpNet(text) : undefined
}

/** The same for the target, which must be of the destination's version of IP. */
export function targetComplaint(text: string, form: RouteValues): string | undefined {
  const { destination, target } = wayOf({ ...form, target: text })
  const own = endComplaint(form.targetType, text)
  return own ?? (mixesFamilies(destination, target) ? mixed : undefined)
}

export const pathTitle = 'Path of a packet'

/** The parts of the way that are still missing or wrong. */
export const missingIn = (values: RouteValues): string[] => [
  ...(isReady(values.destination, endComplaint(values.destinationType, values.destination))
    ? []
    : ['Choose its destination.']),
  ...(values.targetType === 'drop' || isReady(values.target, targetComplaint(values.target, values))
    ? []
    : ['Choose its target.']),
]
const isReady = (text: string, complaint: string | undefined): boolean =>
  text.trim() !== '' && complaint === undefined

const mixed = 'Destination and target must be of the same IP version'
