/** Where a browser keeps the columns that a person hides: this, and the type of the list. */
export const hiddenColumnsKey = 'purlin-hidden-columns:'
