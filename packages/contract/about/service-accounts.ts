/** Sentences about the operations on service accounts and their keys. */
export const ofServiceAccounts = {
  serviceAccountUpdate:
    'Update a service account. One that is disabled loses its keys, and the tasks that it began are canceled; its roles stay.',
  serviceAccountDelete: 'Delete a service account with its keys and roles.',
  serviceAccountKeyList: 'List the valid keys of a service account. The keys themselves are never shown.',
  serviceAccountKeyCreate:
    'Create a key of a service account. Only this answer has the key itself, which programs send as a bearer token.',
  serviceAccountKeyDelete: 'Revoke a key of a service account. It is refused from now on.',
}
