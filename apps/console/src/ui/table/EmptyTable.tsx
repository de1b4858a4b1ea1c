import type { ReactNode } from 'react'
import { cx } from '#/lib/text.ts'
import type { Column } from './columns.ts'

const rows = ['opacity-100', 'opacity-60', 'opacity-30']
const line = 'flex h-[34px] flex-wrap overflow-hidden border-b px-1'
const cell = 'flex h-[33px] grow basis-32 items-center px-2.5'

/** A list without rows: its columns over faint rows show what it will look like, and `children` say what it is for. */
export const EmptyTable = <Row,>({
  columns,
  children,
}: {
  columns: readonly Column<Row>[]
  children: ReactNode
}) => (
  <div className="overflow-hidden rounded-lg border border-line bg-raised">
    <div aria-hidden data-testid="faint-rows">
      <div className={cx(line, 'label-mono border-line bg-sunken')}>
        {columns.map(({ id, header }) => (
          <span key={id} className={cx(cell, 'whitespace-nowrap')}>
            {header}
          </span>
        ))}
      </div>
      {rows.map((faintness) => (
        <div key={faintness} className={cx(line, faintness, 'border-line-faint')}>
          {columns.map(({ id }, i) => (
            <span key={id} className={cell}>
              <span className={cx('h-2.5 rounded-sm bg-line-faint', i === 0 ? 'w-3/5' : 'w-2/5')} />
            </span>
          ))}
        </div>
      ))}
    </div>
    {children}
  </div>
)
