/** The HTTP server of a sandbox node, on this machine only. It can be away for a while, as real nodes are. */
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export type LocalServer = {
  readonly port: number;
  /** Answers nobody until it comes back. */
  goAway(): void;
  comeBack(): void;
  close(): Promise<void>;
};

/** PEM. `authority`: who signed the certificates that clients must have. */
export type LocalTls = { readonly certificate: string; readonly key: string; readonly authority: string };

export async function startLocalServer(answer: RequestListener, wantedPort = 0, tls?: LocalTls): Promise<LocalServer> {
  let isAway = false;
  const server = tls
    ? createSecureServer({ cert: tls.certificate, key: tls.key, ca: tls.authority, requestCert: true }, answer)
    : createServer(answer);
  // While it is away it keeps its port, which another program might take.
  server.on('connection', (socket) => {
    if (isAway) socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(wantedPort, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    goAway() {
      isAway = true;
      server.closeAllConnections();
    },
    comeBack() {
      isAway = false;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
