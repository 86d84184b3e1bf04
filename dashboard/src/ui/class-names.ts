/** What all fields look like: text, selections, areas. */
export const FIELD =
  'block w-full rounded-lg border border-field-line bg-surface px-3 py-2 text-[0.9375rem] text-text ' +
  'aria-invalid:border-danger disabled:bg-sunken disabled:text-muted [&[readonly]]:bg-sunken ' +
  'focus-visible:outline-2 focus-visible:outline-offset-0';
