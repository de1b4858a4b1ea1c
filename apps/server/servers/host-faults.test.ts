/** Hosts fail in turn under load, and drawn faults of all parts meet. */
import { describeFaults } from '../testing/cluster/describe-faults.ts'

describeFaults({
  parts: ['host 0', 'wire 0', 'host 1', 'wire 1'],
  seeds: [1_001_003_001, 805_306_457],
})
