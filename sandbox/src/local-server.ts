/** The HTTP server of a sandbox node, on this machine only. It can be away for a while, as real nodes are. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export type LocalServer = {
  readonly port: number;
  /** Answers nobody until it comes back. */
  goAway(): void;
  comeBack(): void;
  close(): Promise<void>;
};

export async function startLocalServer(answer: RequestListener, wantedPort = 0): Promise<LocalServer> {
  let isAway = false;
  const server = createServer(answer);
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
