/**
 * Finds an element that a script needs. Its kind is the caller's word: checking it at run time cost every reader of a page 100 bytes. A missing
 * element fails where it is first used.
 */
export function findElement<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
  return document.getElementById(id) as Kind;
}
