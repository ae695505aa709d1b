/**
 * Gives observers of the viewport the page's document as their root. Without a root, browsers ignore `rootMargin` in a
 * frame of another origin (Intersection Observer, "compute the intersection"), so contents lists mark wrong headings.
 */
export function installIntersections(): void {
  window.IntersectionObserver = new Proxy(IntersectionObserver, {
    construct: (target, [callback, options], newTarget) =>
      Reflect.construct(target, [callback, { ...options, root: options?.root ?? document }], newTarget),
  });
}
