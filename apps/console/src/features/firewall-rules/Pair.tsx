import { Badge } from '#/ui/value/Badge.tsx'
import { endWords, protocolWords, type End, type Protocol } from './rules/words.ts'

/** A type and its value, such as 'Instance' and 'web-1'. */
export const Pair = ({ type, value }: { type: string; value: string }) => (
  <span className="inline-flex items-center gap-1 whitespace-nowrap">
    <Badge>{type}</Badge>
    <Badge tone="accent">{value}</Badge>
  </span>
)

/** The targets of a rule, or the other end of its traffic. */
export const EndPair = ({ end }: { end: End }) => <Pair type={endWords[end.type]} value={end.value} />

/** A protocol, with the ICMP messages that it stands for. */
export function ProtocolPair({ of }: { of: Protocol }) {
  const { protocol, messages } = protocolWords(of)
  return messages === null ? <Badge>{protocol}</Badge> : <Pair type={protocol} value={messages} />
}
