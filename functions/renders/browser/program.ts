import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packedBrowser } from "@dropleaf/renderer/browser";

/** Folders of the compressed browser and of additional fonts. `lib/bundle/browser-files.ts` copies both into the function's bundle. */
const archives = join(import.meta.dirname, "bin");
const letters = join(import.meta.dirname, "letters");

let unpacked: ReturnType<typeof unpack> | undefined;

/**
 * Unpacks the browser once per execution environment of the function. The size is 67 MB compressed, and 220 MB unpacked. Returns the
 * browser's file and its complete environment variables.
 */
export function unpackBrowser() {
  unpacked ??= unpack().catch((error) => {
    unpacked = undefined;
    throw error;
  });
  return unpacked;
}

/** Unpacks the browser under a temporary name and renames the folder, so that a partly unpacked browser is never used. */
async function unpack() {
  const { size } = await stat(join(archives, "chromium.br"));
  const place = join(tmpdir(), `dropleaf-chromium-${size}`);
  if (!existsSync(place)) {
    const staging = await mkdtemp(join(tmpdir(), "dropleaf-unpack-"));
    try {
      await unpackInto(staging);
      await rename(staging, place).catch((error) => {
        // Another process on this machine has already unpacked the browser.
        if (!existsSync(place)) throw error;
      });
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  }
  const libraries = join(place, "al2023", "lib");
  return {
    file: join(place, "chromium"),
    environment: {
      FONTCONFIG_FILE: await writeFontsConfiguration(place),
      // The package contains shared libraries that Amazon Linux does not have.
      ...(existsSync(libraries) ? { LD_LIBRARY_PATH: libraries } : {}),
    },
  };
}

/** Unpacks the browser into a folder. The package always unpacks into `TMPDIR`, which it reads before its first await. */
async function unpackInto(directory: string): Promise<void> {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = directory;
  const program = packedBrowser.executablePath(archives);
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  const file = await program;
  if (file !== join(directory, "chromium")) throw new Error(`The browser was unpacked to ${file}.`);
}

/** Writes a fontconfig file without the machine's fonts, so that a page looks the same on a laptop and in AWS. */
async function writeFontsConfiguration(place: string): Promise<string> {
  const text = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${place}/fonts</dir><dir>${letters}</dir><cachedir>${place}/fonts-cache</cachedir></fontconfig>`;
  // On a laptop, several builds share this folder, and each build has its own fonts folder.
  const file = join(place, `fonts-${createHash("sha256").update(text).digest("hex").slice(0, 16)}.conf`);
  if (existsSync(file)) return file;
  const whole = `${file}.${randomUUID()}`;
  await writeFile(whole, text);
  await rename(whole, file);
  return file;
}
