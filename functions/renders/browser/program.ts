import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packedBrowser } from "@dropleaf/renderer/browser";

/** Unpacked browser. */
export interface BrowserProgram {
  readonly file: string;
  /** The complete environment of the browser. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The package's archives and additional fonts, as `lib/bundle/browser-files.ts` places them beside the code. */
const archives = join(import.meta.dirname, "bin");
const letters = join(import.meta.dirname, "letters");

let unpacked: Promise<BrowserProgram> | undefined;

/** Unpacks the browser, once for each environment of the function: 67 MB become 220. */
export function unpackBrowser(): Promise<BrowserProgram> {
  unpacked ??= unpack().catch((error) => {
    unpacked = undefined;
    throw error;
  });
  return unpacked;
}

/** Unpacks under a temporary name, so that an interrupted unpacking is never used. */
async function unpack(): Promise<BrowserProgram> {
  const { size } = await stat(join(archives, "chromium.br"));
  const place = join(tmpdir(), `dropleaf-chromium-${size}`);
  if (!existsSync(place)) {
    const staging = await mkdtemp(join(tmpdir(), "dropleaf-unpack-"));
    try {
      await unpackInto(staging);
      await rename(staging, place).catch((error) => {
        // Another environment on this machine was faster.
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
      // Libraries that Amazon Linux lacks.
      ...(existsSync(libraries) ? { LD_LIBRARY_PATH: libraries } : {}),
    },
  };
}

/** Unpacks into a folder. The package only knows the system's temporary folder, which it reads before it awaits anything. */
async function unpackInto(directory: string): Promise<void> {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = directory;
  const program = packedBrowser.executablePath(archives);
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  const file = await program;
  if (file !== join(directory, "chromium")) throw new Error(`The browser was unpacked to ${file}.`);
}

/** Configures only the included fonts, not the machine's: a page looks the same on a laptop and in AWS. */
async function writeFontsConfiguration(place: string): Promise<string> {
  const text = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${place}/fonts</dir><dir>${letters}</dir><cachedir>${place}/fonts-cache</cachedir></fontconfig>`;
  // On a laptop several builds share the folder, and each has its fonts elsewhere.
  const file = join(place, `fonts-${createHash("sha256").update(text).digest("hex").slice(0, 16)}.conf`);
  if (existsSync(file)) return file;
  const whole = `${file}.${randomUUID()}`;
  await writeFile(whole, text);
  await rename(whole, file);
  return file;
}
