import Download from 'lucide-react/icons/download'
import { saveFile } from '#/api/download.ts'
import { Button } from '#/ui/button/Button.tsx'
import { CopyButton } from '#/ui/button/CopyButton.tsx'

/** New recovery codes, which are shown only once. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const text = `${codes.join('\n')}\n`
  return (
    <div className="flex flex-col gap-3">
      <p>
        If you lose your factors, sign in with one of these recovery codes. Each works once. Keep them where
        only you find them: they are not shown again.
      </p>
      <ul
        aria-label="Recovery codes"
        className="mono grid gap-x-5 gap-y-1 rounded-md border border-line bg-sunken px-3.5 py-2.5 grid-cols-[repeat(auto-fill,minmax(13rem,1fr))]"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex items-center gap-2.5">
        <Button
          icon={<Download size={14} />}
          onClick={() => saveFile(new Blob([text]), 'recovery-codes.txt')}
        >
          Download
        </Button>
        <CopyButton text={text} label="Copy all codes" />
      </div>
    </div>
  )
}
