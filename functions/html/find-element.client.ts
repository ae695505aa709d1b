/**
 * Finds an element that a script needs. The caller asserts the element's type, because a check at run time would cost every reader 100 bytes.
 * A missing element causes an error at its first use.
 */
export function findElement<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
  return document.getElementById(id) as Kind;
}
