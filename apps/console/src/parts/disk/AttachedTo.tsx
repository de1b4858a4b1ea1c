import { Dash } from '../../ui/PropertiesTable.tsx'
import { InstanceName } from '../instance/InstanceName.tsx'
import type { Disk } from './disks.tsx'

/** The instance a disk is attached to, as a link; a dash if it is free. */
export function AttachedTo({ project, state }: { project: string; state: Disk['state'] }) {
  return 'instance' in state ? <InstanceName project={project} id={state.instance} /> : <Dash />
}
