interface Named {
  first_name?: string | null;
  last_name?: string | null;
}

/** What somebody is called; empty for who has given no name. */
export function personName({ first_name: first, last_name: last }: Named): string {
  return [first, last].filter(Boolean).join(' ');
}
