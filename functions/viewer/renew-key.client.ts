/**
 * Renews the key in the addresses of a guarded folder while its viewer is open: the frame has no cookies and keeps its
 * addresses. `folder-keys.ts` says how long a key is valid.
 */
const renewAfterMs = 300_000;
const checkEveryMs = 60_000;

/** Returns a function that takes the path of a page in the frame and keeps renewing its key. The page can forge the path. */
export function renewKeys(): (path: string) => void {
  let address: string | undefined;
  let renewedAtMs = 0;

  // By the wall clock: a laptop that slept has not run its timers.
  const renew = async () => {
    if (!address || Date.now() - renewedAtMs < renewAfterMs) return;
    renewedAtMs = Date.now();
    const response = await fetch(address).catch(() => undefined);
    // The next check tries again.
    if (!response?.ok) renewedAtMs = 0;
  };

  setInterval(renew, checkEveryMs);
  for (const type of ["visibilitychange", "focus", "online"]) addEventListener(type, renew);
  return (path) => {
    const [key] = /^\/p\/\w{7}\/raw\/@k[\w-]{40,200}\//.exec(path) ?? [];
    if (!key || key === address || !location.pathname.includes(key.slice(3, 10))) return;
    address = key;
    renewedAtMs = Date.now();
  };
}
