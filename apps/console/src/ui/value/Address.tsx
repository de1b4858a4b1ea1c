import { CopyButton } from '../button/CopyButton.tsx'

/** An address that can be copied. */
export function Address({ ip }: { ip: string }) {
  return (
    <span className="mono inline-flex items-center gap-1">
      {ip}
      <CopyButton text={ip} label={`Copy ${ip}`} />
    </span>
  )
}
