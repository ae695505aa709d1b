/**
 * Finds an element that a script needs. The caller asserts the element's type, because a check at run time would add 100 bytes to every page. A
 * missing element causes an error at its first use.
 */
export function findElement<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
  return document.getElementById(id) as Kind;
}
