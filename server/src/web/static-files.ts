/**
 * The files that pages use, our own and the pictures of networks, read once at the start. A request only looks its path
 * up in a map and never reaches the file system, so no path can lead to another file.
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

/** One request instead of many. The order matters: later rules may change earlier ones. */
const stylesheets: Readonly<Record<string, readonly string[]>> = {
  '/css/page.css': ['tokens', 'components', 'pay', 'further', 'papers'],
  '/css/account.css': ['tokens', 'components', 'account', 'account-further', 'account-brand'],
  '/css/manual.css': ['tokens', 'components', 'account', 'manual'],
  '/css/styleguide.css': ['styleguide'],
};

/** By their path from the root: `/images/assets/btc.svg`. */
export function loadStaticFiles(): ReadonlyMap<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  const folders: readonly (readonly [string, URL])[] = [
    ...['images', 'js'].map((name) => [name, new URL(`./${name}`, import.meta.url)] as const),
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
  for (const [path, { body, contentType }] of files)
    if (path.endsWith('.mjs')) files.set(path, staticFile(Buffer.from(withoutNotes(body.toString())), contentType));
  // What others import comes first: its own imports are a part of its version.
  for (const name of ['news', 'pages', 'keys', 'keep-file', 'pay', 'account']) versionImports(files, `/js/${name}.mjs`);
  for (const [path, parts] of Object.entries(stylesheets)) {
    const rules = parts.map((part) => readFileSync(new URL(`./css/${part}.css`, import.meta.url)));
    files.set(path, staticFile(Buffer.concat(rules), contentTypes['.css'] ?? ''));
  }
  return files;
}

/**
 * Comments and indentation are for who reads the source: without them a script is a fifth shorter on its way. Only comments
 * that have their lines to themselves, and those of types, so that no string can be taken for one.
 */
const withoutNotes = (script: string): string =>
  script
    .replaceAll(/^\s*\/\/.*\n/gm, '')
    .replaceAll(/\/\*\*[^*]*(?:\*(?!\/)[^*]*)*\*\//g, '')
    .replaceAll(/^\s+/gm, '');

/** Imports in a script name versions too: otherwise a new script could get an old module. */
function versionImports(files: Map<string, StaticFile>, path: string): void {
  const { body = Buffer.of(), contentType = '' } = files.get(path) ?? {};
  const text = body
    .toString()
    .replace(
      /(from |import\()'\.\/([\w-]+\.mjs)'/g,
      (_, how, name) => `${how}'${versionedPath(files, `/js/${name}`)}'`,
    );
  files.set(path, staticFile(Buffer.from(text), contentType));
}

export const staticFile = (body: Buffer, contentType: string): StaticFile => ({
  body,
  contentType,
  etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`,
});

/** The address of a file with its version: browsers may keep it for ever, and a new release has a new address. */
export function versionedPath(files: ReadonlyMap<string, StaticFile>, path: string): string {
  const file = files.get(path);
  if (!file) throw new Error(`there is no ${path}`);
  return `${path}?v=${versionOf(file)}`;
}

export const versionOf = ({ etag }: StaticFile): string => etag.slice(1, -1);
