/** An identity provider that is not ours, for tests. */
import { spawnSync } from 'node:child_process'
import { isProgram } from './postgres.ts'

/** The Python that has pysaml2, and xmlsec1 with it; undefined where they are not installed. */
export const findPysaml2 = (): string | undefined =>
  ['/usr/bin/python3'].find(
    (python) =>
      isProgram(python) &&
      isProgram('/usr/bin/xmlsec1') &&
      spawnSync(python, ['-c', 'import saml2.server']).status === 0,
  )
