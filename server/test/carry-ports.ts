/**
 * The doors of the small internet, and a program that runs inside it: what Docker's published ports are to a container
 * (80 to 8080, 443 to 8443), the way in for a customer, and the way out to the service.
 */
import { createServer, type Socket, connect as to } from 'node:net';
import { join } from 'node:path';

/** Two connections become one. */
export function carry(left: Socket, right: Socket): void {
  for (const [from, other] of [
    [left, right],
    [right, left],
  ] as const) {
    from.pipe(other);
    from.on('error', () => other.destroy());
    from.on('close', () => other.destroy());
  }
}

const [, , folder] = process.argv;
if (import.meta.main && folder !== undefined) {
  const open = (door: number | string, connect: () => Socket) =>
    createServer((socket) => carry(socket, connect())).listen(
      typeof door === 'number' ? { host: '127.0.0.1', port: door } : { path: door },
    );
  open(80, () => to(8080, '127.0.0.1'));
  open(443, () => to(8443, '127.0.0.1'));
  open(8000, () => to(join(folder, 'service')));
  open(join(folder, 'http'), () => to(80, '127.0.0.1'));
  open(join(folder, 'https'), () => to(443, '127.0.0.1'));
  process.stdin.resume().on('end', () => process.exit(0));
}
