interface Stored {
  readonly payload: Record<string, unknown>;
  readonly expiresAtMs: number;
}

/**
 * Storage for oidc-provider that lasts as long as the process: sign-ins under way end with it, and the next one starts
 * over. Its methods are those that the library's documentation lists under "adapter".
 */
export function createMemoryAdapter(): (model: string) => object {
  const all = new Map<string, Stored>();
  const find = (key: string) => {
    const stored = all.get(key);
    return stored !== undefined && stored.expiresAtMs > Date.now() ? stored.payload : undefined;
  };
  const findBy = (model: string, field: string, value: string) => {
    for (const [key, { payload }] of all) {
      if (key.startsWith(`${model}:`) && payload[field] === value) return find(key);
    }
    return undefined;
  };
  return (model) => ({
    async upsert(id: string, payload: Record<string, unknown>, expiresInSeconds?: number) {
      for (const [key, { expiresAtMs }] of all) if (expiresAtMs <= Date.now()) all.delete(key);
      const lifetimeMs = (expiresInSeconds ?? Number.POSITIVE_INFINITY) * 1000;
      all.set(`${model}:${id}`, { payload, expiresAtMs: Date.now() + lifetimeMs });
    },
    find: async (id: string) => find(`${model}:${id}`),
    findByUid: async (uid: string) => findBy(model, "uid", uid),
    findByUserCode: async (userCode: string) => findBy(model, "userCode", userCode),
    async consume(id: string) {
      const payload = find(`${model}:${id}`);
      if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
    },
    async destroy(id: string) {
      all.delete(`${model}:${id}`);
    },
    async revokeByGrantId(grantId: string) {
      for (const [key, { payload }] of all) if (payload.grantId === grantId) all.delete(key);
    },
  });
}
