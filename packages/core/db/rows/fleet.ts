/** The fleet has this id everywhere: there is one per database. */
export const fleetId = '001de000-1334-4000-8000-000000000000'
