import { createFileRoute } from '@tanstack/react-router'
import CircleCheck from 'lucide-react/icons/circle-check'
import { DeviceFrame } from './DeviceFrame.tsx'

export const Route = createFileRoute('/device/success')({ component: SuccessPage })

function SuccessPage() {
  return (
    <DeviceFrame>
      <div className="flex flex-col items-center gap-3 py-4 text-center">
        <CircleCheck size={36} aria-hidden className="text-ok motion-safe:animate-pulse" />
        <h1 className="text-lg font-semibold">Device logged in</h1>
        <p className="text-secondary">You can close this window</p>
      </div>
    </DeviceFrame>
  )
}
