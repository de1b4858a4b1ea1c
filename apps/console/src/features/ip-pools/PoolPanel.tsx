import Waypoints from 'lucide-react/icons/waypoints'
import { Button } from '#/ui/button/Button.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { descriptionProperty, idProperty, PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import { SideModal } from '#/ui/overlay/SideModal.tsx'
import type { IpPool } from './queries.ts'

/** The properties of an IP pool that a silo may see. */
export function PoolPanel({ pool, onDismiss }: { pool: IpPool; onDismiss: () => void }) {
  const { id, name, description, isDefault, timeCreated } = pool
  return (
    <SideModal
      title="IP pool"
      animate
      resource={{ icon: Waypoints, name }}
      onDismiss={onDismiss}
      footer={<Button onClick={onDismiss}>Close</Button>}
    >
      <PropertiesTable
        columns={1}
        properties={[
          idProperty(id),
          descriptionProperty(description),
          { label: 'Default', value: isDefault ? 'Yes' : 'No' },
          { label: 'Created', value: <DateTime date={timeCreated} /> },
        ]}
      />
    </SideModal>
  )
}
