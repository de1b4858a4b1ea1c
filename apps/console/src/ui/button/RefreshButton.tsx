import RotateCw from 'lucide-react/icons/rotate-cw'
import { useState } from 'react'
import { IconButton, type IconButtonProps } from './IconButton.tsx'
import { Spinner } from '../feedback/Spinner.tsx'
import { Tooltip } from '../overlay/Tooltip.tsx'
import { useMinimumTime } from '../feedback/useMinimumTime.ts'

/** 'Refresh data': calls `onRefresh`; its icon rotates until that ends, at least 300 ms. */
export function RefreshButton({
  onRefresh,
  isRefreshing = false,
  ...look
}: {
  onRefresh: () => unknown
  isRefreshing?: boolean
} & Pick<IconButtonProps, 'size'>) {
  const [isRunning, setRunning] = useState(false)
  const isBusy = useMinimumTime(isRunning || isRefreshing, 300)
  const press = async () => {
    if (isBusy) return
    setRunning(true)
    try {
      await onRefresh()
    } finally {
      setRunning(false)
    }
  }
  return (
    <Tooltip content="Refresh data" describes={false}>
      <IconButton
        {...look}
        label="Refresh data"
        className="border border-line"
        onClick={() => void press()}
        aria-disabled={isBusy || undefined}
      >
        {isBusy ? <Spinner /> : <RotateCw size={14} />}
      </IconButton>
    </Tooltip>
  )
}
