/**
 * Makes the document the default root of intersection observers. Without a root, browsers ignore `rootMargin` in a
 * frame of another origin (Intersection Observer, "compute the intersection"). Tables of contents would then highlight
 * the wrong headings.
 */
export function installIntersections(): void {
  window.IntersectionObserver = new Proxy(IntersectionObserver, {
    construct: (target, [callback, options], newTarget) =>
      Reflect.construct(target, [callback, { ...options, root: options?.root ?? document }], newTarget),
  });
}
