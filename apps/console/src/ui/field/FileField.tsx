import FileIcon from 'lucide-react/icons/file'
import Upload from 'lucide-react/icons/upload'
import X from 'lucide-react/icons/x'
import { type DragEvent, type RefCallback, useEffect, useRef, useState } from 'react'
import { formatSize } from '#/lib/format.ts'
import { cx, shorten } from '#/lib/text.ts'
import { IconButton } from '#/ui/button/IconButton.tsx'
import { FieldFrame, type FieldProps, useFieldIds } from './fieldParts.tsx'

/** A drop zone for one file. */
export interface FileFieldProps extends FieldProps {
  value: File | null
  onChange: (file: File | null) => void
  onBlur?: (() => void) | undefined
  name?: string | undefined
  /** Extensions as the browser takes them: '.iso,.raw'. */
  accept?: string
  /** The control that is shown: the one to choose a file, or the one to clear it. */
  ref?: RefCallback<HTMLElement> | undefined
}

export function FileField(props: FileFieldProps) {
  const { value } = props
  const [isOver, setOver] = useState(false)
  const [refused, setRefused] = useState<string>()
  const error = refused ?? props.error
  const ids = useFieldIds({ ...props, error })
  const choose = (file: File | null) => {
    setRefused(undefined)
    props.onChange(file)
  }
  const frame = useFocusInside(value !== null)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (props.disabledReason) return
    const [item] = event.dataTransfer.items
    const [file] = event.dataTransfer.files
    // The browser hands over a folder as a file of a few KiB that cannot be read.
    if (item?.webkitGetAsEntry()?.isDirectory) setRefused('This is a folder. Drop a single file.')
    else if (file) choose(file)
  }
  const over = (event: DragEvent, isInside: boolean) => {
    event.preventDefault()
    setOver(isInside)
  }
  return (
    <FieldFrame field={{ ...props, error }} ids={ids}>
      <div
        ref={frame}
        onDragOver={(event) => over(event, true)}
        onDragLeave={(event) => over(event, false)}
        onDrop={drop}
        className={cx(
          'relative grid items-center rounded-md border *:[grid-area:1/1] border-dashed has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus',
          isOver ? 'bg-accent-soft' : 'bg-sunken',
          isOver ? 'border-accent' : error ? 'border-danger' : 'border-line-strong',
        )}
      >
        {/* The place stays as high as it is without a file, so that nothing below moves. */}
        <Invitation accept={props.accept} isHidden={value !== null} />
        {value ? (
          <Chosen file={value} props={props} onChange={choose} described={ids.described} />
        ) : (
          <Empty props={props} onChange={choose} control={ids.control} />
        )}
      </div>
    </FieldFrame>
  )
}

/** When a file is chosen or cleared, one control replaces the other; the focus moves with it. */
function useFocusInside(isChosen: boolean) {
  const frame = useRef<HTMLDivElement>(null)
  const was = useRef(isChosen)
  useEffect(() => {
    if (was.current === isChosen) return
    was.current = isChosen
    if (document.activeElement === document.body)
      frame.current?.querySelector<HTMLElement>('input, button')?.focus({ preventScroll: true })
  }, [isChosen])
  return frame
}

const Invitation = ({ accept, isHidden }: { accept: string | undefined; isHidden: boolean }) => (
  <div
    aria-hidden={isHidden}
    className={cx(
      'flex flex-col items-center gap-1 px-4 py-5 text-center text-secondary',
      isHidden && 'invisible',
    )}
  >
    <Upload size={16} className="text-tertiary" />
    Drop a file or click to browse
    {accept && <span className="mono text-secondary">{accept.split(',').join(', ')}</span>}
  </div>
)

function Empty({
  props: { ref, name, accept, disabledReason, onBlur },
  onChange,
  control,
}: {
  props: FileFieldProps
  onChange: FileFieldProps['onChange']
  control: ReturnType<typeof useFieldIds>['control']
}) {
  return (
    <input
      {...control}
      ref={ref}
      type="file"
      name={name}
      accept={accept}
      disabled={Boolean(disabledReason)}
      onChange={(event) => onChange(event.target.files?.[0] ?? null)}
      onBlur={onBlur}
      className="absolute inset-0 size-full cursor-pointer opacity-0 disabled:cursor-not-allowed"
    />
  )
}

function Chosen({
  file,
  props: { ref },
  onChange,
  described,
}: {
  file: File
  props: FileFieldProps
  onChange: FileFieldProps['onChange']
  described: string | undefined
}) {
  return (
    <div className="flex items-center gap-2.5 px-3 py-2.5">
      <FileIcon size={16} className="shrink-0 text-tertiary" />
      <span title={file.name} className="mono min-w-0 grow truncate">
        {shorten(file.name, 32, 'middle')}
      </span>
      <span className="mono shrink-0 whitespace-nowrap text-secondary">{formatSize(file.size)}</span>
      <IconButton
        ref={ref}
        label="Clear file"
        size="small"
        aria-describedby={described}
        onClick={() => onChange(null)}
      >
        <X size={14} />
      </IconButton>
    </div>
  )
}
