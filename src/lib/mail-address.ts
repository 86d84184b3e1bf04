// An address as people write it: dots, digits and the like around one `@`. Quoted local parts and
// literals are refused: hardly anybody has one, and they can smuggle what looks like a second address.
const LOCAL_PART = /^[^\s@<>()[\]\\,;:"\p{C}]{1,64}$/u;
const DOMAIN = /^[^\s@<>()[\]\\,;:"\p{C}]{1,190}$/u;

/**
 * Whether mail can be addressed to the text. Line breaks, control characters and whatever separates
 * addresses in a header are refused; existence is for the mail server to find out.
 */
export function isMailAddress(text: string): boolean {
  const [local = '', domain = '', ...rest] = text.split('@');
  return rest.length === 0 && LOCAL_PART.test(local) && DOMAIN.test(domain);
}

/** What follows the `@`: tells an operator where mail was going without naming the person. */
export function mailDomain(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
