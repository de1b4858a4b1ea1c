import { guides } from '../../paths.ts'
import { CopyModal } from '../../ui/CopyModal.tsx'
import { ExternalLink } from '../../ui/link.tsx'
import { oneLine, perLine } from './oxql.ts'

// The words that start a stage, and the values that it is about.
const marks = /(^\w+|(?<=\| )\w+|"[^"]*"|@\S+)/gm
const look = (text: string) => (/^\w/.test(text) ? 'font-semibold text-ink' : 'text-ink')

/** The query behind a chart, to be read and copied. */
export function QueryDialog({ stages, onDismiss }: { stages: readonly string[]; onDismiss: () => void }) {
  const parts = perLine(stages).split(marks)
  return (
    <CopyModal
      title="OxQL query"
      what="query"
      text={oneLine(stages)}
      onDismiss={onDismiss}
      description={
        <>
          What this chart asks the API for.{' '}
          <ExternalLink href={guides.metrics.href}>Read about metrics and their queries</ExternalLink>
        </>
      }
    >
      <pre className="mono [font-variant-ligatures:none] rounded-md border border-line bg-sunken px-3 py-2.5 leading-relaxed whitespace-pre-wrap wrap-anywhere text-secondary">
        {parts.map((text, i) => (
          // Every second part is a mark.
          <span key={i} className={i % 2 ? look(text) : undefined}>
            {text}
          </span>
        ))}
      </pre>
    </CopyModal>
  )
}
