import { cx } from '#/lib/text.ts'
import { Radio, RadioFrame, type RadioGroupFieldProps } from './RadioGroupField.tsx'

const box =
  'relative block rounded-md border border-line bg-sunken px-3 py-2.5 transition-colors duration-(--fast) hover:border-line-strong has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus has-disabled:text-tertiary has-disabled:hover:border-line'
const input = 'absolute inset-0 size-full cursor-pointer opacity-0 disabled:cursor-not-allowed'

/** A radio group drawn as cards, for choices that need a second line. `columns` share the width evenly;
 * without it every card is 11rem wide. */
export function RadioCards({ columns, ...props }: RadioGroupFieldProps & { columns?: number }) {
  const look = { box: cx(box, !columns && 'w-44'), input, text: 'font-[550]' }
  return (
    <RadioFrame field={props}>
      {(name) => (
        <div
          className={cx('mt-1.5 gap-2', columns ? 'grid' : 'flex flex-wrap')}
          style={columns ? { gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` } : undefined}
        >
          {props.options.map(({ value }, i) => (
            <Radio key={value} field={props} index={i} name={name} look={look} />
          ))}
        </div>
      )}
    </RadioFrame>
  )
}
