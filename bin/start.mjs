// Entry point of `npm start`. Plain JavaScript, so that `required-node.mjs` can refuse a Node version without TypeScript support.
import "./required-node.mjs";

// Dynamic import, because older versions of Node lack this export.
const { enableCompileCache } = await import("node:module");
const { compileCacheDirectory } = await import("../lib/bundle/cache-directory.ts");
enableCompileCache(compileCacheDirectory());
await import("./local.ts");
