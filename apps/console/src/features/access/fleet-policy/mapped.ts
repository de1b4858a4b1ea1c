import { roles, type Role } from '@purlin/contract/rules/roles'

/** One role on the fleet that a silo gives to those who have a role on it. */
export interface MappedRow {
  key: string
  silo: string
  from: Role
  to: Role
}

interface Mapping {
  id: string
  name: string
  mappedFleetRoles: Record<string, Role[]>
}

/** By silo, then the strongest first. */
export const mappedRows = (silos: readonly Mapping[]): MappedRow[] =>
  silos
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .flatMap(({ id, name, mappedFleetRoles }) =>
      roles.flatMap((from) =>
        roles
          .filter((to) => mappedFleetRoles[from]?.includes(to))
          .map((to) => ({ key: `${id} ${from} ${to}`, silo: name, from, to })),
      ),
    )
