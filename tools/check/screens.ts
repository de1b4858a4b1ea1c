import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { routes } from '@purlin/console/routes'
import { screens, withoutScreen } from '@purlin/e2e/screens'
import { addressesOf } from '../building/bundle.ts'
import type { Finding } from './files.ts'

/** Whether a path is at an address of the map. */
export const isAt = (path: string, address: string): boolean =>
  new RegExp(`^${address.replaceAll(/\$\w+/g, '[^/]+')}(\\?.*)?$`).test(path)

/**
 * The file of the journey about a list, in any folder of e2e. It is named after the section of the project or the system,
 * or after the part of the console.
 */
export const journeyOf = (list: string): string =>
  `${list.replace(/^\/(projects\/\$project|system(\/networking)?)\//, '/').split('/')[1]}.spec.ts`

/** Every address has a screen, which is audited for accessibility, and every list a journey. */
export function checkScreens(root: string): Finding {
  const addresses = addressesOf(routes).filter(({ isHome }) => !isHome)
  const paths = screens.map(([, path]) => path)
  const isShown = (address: string) => paths.some((path) => isAt(path, address))
  const missing = addresses
    .filter(({ path }) => !isShown(path) && withoutScreen[path] === undefined)
    .map(({ path }) => `${path} has no screen: add it to e2e/screens/screens.ts`)
  const gone = Object.keys(withoutScreen)
    .filter((path) => isShown(path) || !addresses.some((address) => address.path === path))
    .map((path) => `e2e/screens/screens.ts says that ${path} has no screen, which is not so`)
  const journeys = readdirSync(join(root, 'e2e'), { recursive: true, encoding: 'utf8' }).map((path) =>
    basename(path),
  )
  const unvisited = addresses
    .filter(({ path, isList }) => isList && !journeys.includes(journeyOf(path)))
    .map(({ path }) => `${path} has no journey: write e2e/${journeyOf(path)}`)
  return {
    name: 'screens',
    said: `${addresses.length} addresses have a screen, every list a journey`,
    problems: [...missing, ...gone, ...unvisited],
    figures: { addresses: addresses.length },
  }
}
