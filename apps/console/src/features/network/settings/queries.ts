/** Port settings as screens read them. */
import {
  networkingSwitchPortSettingsDelete,
  networkingSwitchPortSettingsList,
  networkingSwitchPortSettingsView,
} from '@purlin/contract/operations/networking/port-settings'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import type { Item } from '#/api/everyPage.ts'
import { query } from '#/api/query.ts'
import { kind } from '#/resource/kind.ts'
import { configsQuery } from '../bgp/queries.ts'
import { lotsQuery } from '../kinds.ts'

export type SettingsRow = Item<typeof networkingSwitchPortSettingsList>

export const portSettings = kind({
  name: 'switchPortSettings',
  title: 'Port settings',
  icon: SlidersHorizontal,
  list: networkingSwitchPortSettingsList,
  view: networkingSwitchPortSettingsView,
  remove: networkingSwitchPortSettingsDelete,
  related: [networkingSwitchPortSettingsView],
})
export const settingsQuery = (port: string) => query(networkingSwitchPortSettingsView, { params: { port } })

/** The lists that the editor offers choices from. */
export const offers = [lotsQuery, configsQuery] as const
