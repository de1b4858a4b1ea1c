import { cx } from '#/lib/text.ts'
import { TabFrame, type TabsProps } from './Tabs.tsx'

const look = {
  frame: 'gap-6 wide:grid wide:grid-cols-[10rem_minmax(0,1fr)]',
  bar: 'flex flex-wrap gap-px border-line-faint wide:flex-col wide:flex-nowrap wide:border-r wide:pr-2',
  tab: (isActive: boolean) =>
    cx(
      'flex h-[30px] items-center gap-2 rounded-md px-2.5',
      isActive ? 'bg-accent-soft text-accent-text' : 'text-secondary hover:bg-hover hover:text-ink',
    ),
  panel: 'min-w-0 max-wide:pt-4',
}

/** Tabs at the left of their panel, for tabs inside a tab. */
export function SideTabs(props: TabsProps) {
  return <TabFrame {...props} orientation="vertical" look={look} />
}
