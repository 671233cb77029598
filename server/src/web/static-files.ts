/**
 * The files that pages use, our own and the pictures of networks, read once at the start. A request looks its path up in a map and never reaches the file
 * system, so there is no path to escape from.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { registeredNetworks } from '../networks/registry.ts';

export type StaticFile = { readonly body: Buffer; readonly contentType: string; readonly etag: string };

const contentTypes: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.css': 'text/css; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.ico': 'image/x-icon',
  '.json': 'application/manifest+json',
};

/** By their path from the root: `/images/assets/btc.svg`. */
export function loadStaticFiles(): ReadonlyMap<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  const folders: readonly (readonly [string, URL])[] = [
    ...['images', 'css', 'js'].map((name) => [name, new URL(`./${name}`, import.meta.url)] as const),
    ...registeredNetworks.map(({ images }) => ['images', images] as const),
  ];
  for (const [folder, url] of folders) {
    const root = fileURLToPath(url);
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const contentType = contentTypes[extname(path)];
      if (contentType === undefined) throw new Error(`no content type for ${path}`);
      files.set(`/${folder}/${relative(root, path).split(sep).join('/')}`, staticFile(readFileSync(path), contentType));
    }
  }
  return files;
}

export const staticFile = (body: Buffer, contentType: string): StaticFile => ({
  body,
  contentType,
  etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`,
});

/** The address of a file with its version: it may be kept for ever, and a new release is a new address. */
export function versionedPath(files: ReadonlyMap<string, StaticFile>, path: string): string {
  const file = files.get(path);
  if (!file) throw new Error(`there is no ${path}`);
  return `${path}?v=${versionOf(file)}`;
}

export const versionOf = ({ etag }: StaticFile): string => etag.slice(1, -1);
