/** How operations that the audit log records ended. */
export const auditResults = ['success', 'error', 'unknown'] as const
