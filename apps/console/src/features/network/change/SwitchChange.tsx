import {
  networkingSwitchChangeConfirm,
  networkingSwitchChangeRollBack,
  networkingSwitchChangeView,
} from '@purlin/contract/operations/networking/switch-changes'
import { useQuery } from '@tanstack/react-query'
import { query } from '#/api/query.ts'
import { requestTo } from '#/api/request.ts'
import { roleFor } from '#/resource/kind.ts'
import { liveMs } from '../words.ts'
import { useTakenBack, Waiting } from './Waiting.tsx'

const changeQuery = query(networkingSwitchChangeView, {})
const words = {
  title: 'The change of the switches is taken back',
  hint: 'Keep it once you know that you still reach everything you need.',
  keep: 'Keep this change',
  kept: 'Change kept',
  takenBack: 'Change taken back',
}

/** The change of the switches that waits to be kept, on each page of the network. */
export function SwitchChange() {
  const { data } = useQuery({ ...changeQuery, refetchInterval: liveMs, throwOnError: false })
  useTakenBack(data?.timeRollBack, 'The change of the switches')
  if (!data?.timeRollBack) return null
  return (
    <div className="mb-4">
      <Waiting
        until={data.timeRollBack}
        read={changeQuery}
        view={networkingSwitchChangeView}
        confirm={requestTo(networkingSwitchChangeConfirm, {})}
        rollBack={requestTo(networkingSwitchChangeRollBack, {})}
        role={roleFor(networkingSwitchChangeConfirm)}
        words={words}
      />
    </div>
  )
}
