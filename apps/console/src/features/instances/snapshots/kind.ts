/** Snapshots of an instance as screens list them. Other pages do without, so they are not in the table of kinds. */
import {
  instanceSnapshotCreate,
  instanceSnapshotDelete,
  instanceSnapshotList,
  instanceSnapshotView,
} from '@purlin/contract/operations/storage/instance-snapshots'
import { snapshotList } from '@purlin/contract/operations/storage/snapshots'
import Camera from 'lucide-react/icons/camera'
import { kind } from '#/resource/kind.ts'

export const wholes = kind({
  name: 'instanceSnapshot',
  title: 'Snapshots of the instance',
  icon: Camera,
  list: instanceSnapshotList,
  view: instanceSnapshotView,
  create: instanceSnapshotCreate,
  remove: instanceSnapshotDelete,
  // Each has a snapshot of every disk.
  related: [snapshotList],
})
