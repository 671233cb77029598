import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';

/** A port nobody listens on: the wanted one, or any for 0. Throws when the wanted one is taken. */
export async function freePort(host: string, wanted = 0): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(wanted, host, resolve);
  });
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
