/**
 * Runs in a framed page before all other scripts, and in its workers; see docs/adr/0057-framed-pages.md. The sandbox gives the page no
 * origin. This script replaces features that browsers block without an origin, although the features work on the page's own server.
 */
import { installCookies } from "./cookies.client.ts";
import { installElements } from "./folder-elements.client.ts";
import { installRequests } from "./folder-requests.client.ts";
import { given } from "./own-folder.client.ts";
import { reportUncaught } from "./refusals.client.ts";
import { installServices } from "./refused-services.client.ts";
import { installStorage } from "./storage.client.ts";
import { becomeWorker, installWorkers } from "./workers.client.ts";

if (origin === "null") {
  if (given) becomeWorker();
  else {
    installStorage();
    installCookies();
    installElements();
    installIntersections();
    reportUncaught();
  }
  installRequests();
  installServices();
  installWorkers(
    given
      ? String(given[2])
      : `function setUp(a,b){self.dropleaf=[a,b,setUp];${document.currentScript?.textContent ?? ""}\n}`,
  );
}

/**
 * Makes the document the default root of intersection observers. Without a root, browsers ignore `rootMargin` in a
 * frame of another origin (Intersection Observer, "compute the intersection"), so that tables of contents highlight the
 * wrong headings.
 */
function installIntersections(): void {
  window.IntersectionObserver = new Proxy(IntersectionObserver, {
    construct: (target, [callback, options], newTarget) =>
      Reflect.construct(target, [callback, { ...options, root: options?.root ?? document }], newTarget),
  });
}
