import { guides } from '#/lib/addresses.ts'
import { CopyModal } from '#/ui/overlay/CopyModal.tsx'
import { ExternalLink } from '#/ui/button/link.tsx'
import { oneLine, perLine } from './oxql.ts'

// The keyword of each stage, and its values.
const highlighted = /(^\w+|(?<=\| )\w+|"[^"]*"|@\S+)/gm
const classOf = (text: string) => (/^\w/.test(text) ? 'font-semibold text-ink' : 'text-ink')

/** Shows the query of a chart to read and copy. */
export function QueryDialog({ stages, onDismiss }: { stages: readonly string[]; onDismiss: () => void }) {
  const parts = perLine(stages).split(highlighted)
  return (
    <CopyModal
      title="OxQL query"
      what="query"
      text={oneLine(stages)}
      onDismiss={onDismiss}
      description={
        <>
          Reads the means of this chart. Where it can, the chart reads them in shorter windows, with the least
          and the most of each.{' '}
          <ExternalLink href={guides.oxql.href}>Learn about metrics and queries</ExternalLink>
        </>
      }
    >
      <pre className="mono [font-variant-ligatures:none] rounded-md border border-line bg-sunken px-3 py-2.5 leading-relaxed whitespace-pre-wrap wrap-anywhere text-secondary">
        {parts.map((text, i) => (
          // Every second part is highlighted.
          <span key={i} className={i % 2 ? classOf(text) : undefined}>
            {text}
          </span>
        ))}
      </pre>
    </CopyModal>
  )
}
