/**
 * Renews the key of a guarded folder while the viewer is open. The frame has no cookies, and the key in its URLs would
 * expire. `folder-keys.ts` defines how long a key is valid.
 */
const renewAfterMs = 300_000;
const checkEveryMs = 60_000;

/** Returns a function that takes the URL path of the framed page, and starts to renew the key in this path. The page can forge the path. */
export function renewKeys(): (path: string) => void {
  let address: string | undefined;
  let renewedAtMs = 0;

  // Compares wall-clock times, because timers do not run while a laptop sleeps.
  const renew = async () => {
    if (!address || Date.now() - renewedAtMs < renewAfterMs) return;
    renewedAtMs = Date.now();
    const response = await fetch(address).catch(() => undefined);
    // After a failure, the next check sends the request again.
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
