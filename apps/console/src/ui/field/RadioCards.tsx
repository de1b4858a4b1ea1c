import { cx } from '../../lib/text.ts'
import { RadioFrame, type RadioGroupFieldProps } from './RadioGroupField.tsx'

/** A radio group drawn as cards, for choices that need a second line. `columns` share the width evenly;
 * without it every card is 11rem wide. */
export function RadioCards({ columns, ...props }: RadioGroupFieldProps & { columns?: number }) {
  const { options, value, onChange, onBlur, ref } = props
  return (
    <RadioFrame field={props}>
      {(name) => (
        <div
          className={cx('mt-1.5 gap-2', columns ? 'grid' : 'flex flex-wrap')}
          style={columns ? { gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` } : undefined}
        >
          {options.map((option, i) => (
            <label
              key={option.value}
              className={cx(
                'relative block rounded-md border border-line bg-sunken px-3 py-2.5 transition-colors duration-(--fast) hover:border-line-strong has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus has-disabled:text-tertiary has-disabled:hover:border-line',
                !columns && 'w-44',
              )}
            >
              <input
                ref={option.value === value || i === 0 ? ref : undefined}
                type="radio"
                name={name}
                value={option.value}
                checked={option.value === value}
                disabled={Boolean(props.disabledReason || option.disabledReason)}
                onChange={() => onChange(option.value)}
                onBlur={onBlur}
                className="absolute inset-0 size-full cursor-pointer opacity-0 disabled:cursor-not-allowed"
              />
              <span className="block font-[550]">{option.label}</span>
              {(option.disabledReason || option.description) && (
                <span className="block text-hint text-secondary">
                  {option.disabledReason ?? option.description}
                </span>
              )}
            </label>
          ))}
        </div>
      )}
    </RadioFrame>
  )
}
