import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where `npm test` unpacks it when the machine has none. Installed, it would run as a service. */
export const unpackedNginx = fileURLToPath(new URL('../node_modules/.nginx/', import.meta.url));

const places = [
  ...['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'],
  join(unpackedNginx, 'usr/sbin/nginx'),
];

export const findNginx = (): string | undefined => places.find((place) => existsSync(place));
