import type { NetworkMode as Mode } from '@purlin/contract/rules/hardware'
import { Notice } from '#/ui/feedback/Notice.tsx'

const texts: Partial<Record<Mode, string>> = {
  outbound:
    'The host of this instance does not enforce VPC networks. The instance reaches the outside; other instances and external IPs do not reach it. Ask an operator to start the network helper on the host.',
  none: 'The host of this instance gives it no network. Ask an operator to start the network helper on the host.',
}

/** A warning if the networks of an instance are not those that its VPC describes. */
export function NetworkMode({ mode }: { mode: Mode | undefined }) {
  const text = mode && texts[mode]
  return text === undefined ? null : (
    <Notice title="The rules and addresses below are not in force">{text}</Notice>
  )
}
