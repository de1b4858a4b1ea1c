import { Dash } from '../ui/PropertiesTable.tsx'
import { Truncate } from '../ui/Truncate.tsx'

/** A description in a table: shortened to 48 characters and in a narrow window to its width, a dash if there is none. */
export const DescriptionCell = ({ text }: { text: string }) =>
  text === '' ? <Dash /> : <Truncate text={text} max={48} className="max-roomy:max-w-28" />
