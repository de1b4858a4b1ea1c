import type { Trouble } from '@purlin/contract/rules/query/filter'
import { Fragment, useEffect, useRef, type RefObject } from 'react'

/** Underlines the words of a search box that are wrong: the same text behind it, which moves with it. */
export function QueryMarks({
  input,
  text,
  troubles,
}: {
  input: RefObject<HTMLInputElement | null>
  text: string
  troubles: readonly Trouble[]
}) {
  const line = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const box = input.current
    const move = () => {
      if (line.current && box) line.current.style.transform = `translateX(${-box.scrollLeft}px)`
    }
    move()
    box?.addEventListener('scroll', move)
    return () => box?.removeEventListener('scroll', move)
  }, [input, text])
  return (
    <div aria-hidden className="pointer-events-none absolute inset-y-0 right-2.5 left-8 overflow-hidden">
      <div ref={line} className="flex h-full items-center whitespace-pre text-transparent">
        {troubles.map(({ start, end }, i) => (
          <Fragment key={start}>
            <span>{text.slice(troubles[i - 1]?.end ?? 0, start)}</span>
            <span className="underline decoration-danger decoration-wavy underline-offset-4">
              {text.slice(start, end)}
            </span>
          </Fragment>
        ))}
      </div>
    </div>
  )
}
