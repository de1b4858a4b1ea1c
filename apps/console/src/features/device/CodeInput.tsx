import { Fragment, type KeyboardEvent, useEffect, useRef } from 'react'
import { type Boxes, without, withLetters } from './codeBoxes.ts'

/** Eight boxes of one letter each, in two groups of four. */
export function CodeInput({ boxes, onChange }: { boxes: Boxes; onChange: (boxes: Boxes) => void }) {
  const inputs = useRef<(HTMLInputElement | null)[]>([])
  const focus = (at: number) => inputs.current[at]?.focus()
  useEffect(() => inputs.current[0]?.focus(), [])
  const put = (from: number, text: string) => {
    const { boxes: filled, next } = withLetters(boxes, from, text)
    onChange(filled)
    focus(next)
  }
  const onKey = (event: KeyboardEvent, at: number) => {
    if (event.key === 'ArrowLeft') focus(at - 1)
    else if (event.key === 'ArrowRight') focus(at + 1)
    else if (event.key === 'Backspace') {
      const cleared = boxes[at] === '' ? at - 1 : at
      onChange(without(boxes, cleared))
      focus(cleared)
    } else return
    event.preventDefault()
  }
  return (
    <div role="group" aria-label="Code" className="flex items-center justify-center gap-1.5">
      {boxes.map((letter, at) => (
        <Fragment key={at}>
          {at === 4 && (
            <span aria-hidden className="text-tertiary">
              –
            </span>
          )}
          <input
            ref={(input) => void (inputs.current[at] = input)}
            aria-label={`Character ${at + 1}.`}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            value={letter}
            onChange={({ target }) =>
              /[a-z]/i.test(target.value) ? put(at, target.value) : onChange(without(boxes, at))
            }
            onKeyDown={(event) => onKey(event, at)}
            onFocus={({ target }) => target.select()}
            onPaste={(event) => {
              event.preventDefault()
              put(at, event.clipboardData.getData('text'))
            }}
            className="control-box mono h-11 w-8 min-w-0 px-0 text-center text-lg"
          />
        </Fragment>
      ))}
    </div>
  )
}
