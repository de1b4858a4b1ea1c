import { CutText } from '#/ui/table/CutText.tsx'
import { Dash } from '#/ui/value/Dash.tsx'

/** A description in a table, a dash if there is none. */
export const DescriptionCell = ({ text }: { text: string }) =>
  text === '' ? <Dash /> : <CutText text={text} least={6} />
