import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';

/** A process that was just told to stop frees its port in a moment: a restart should not have to be tried twice. */
const patienceMs = 600;

/** Why we cannot listen there, in a sentence for whoever set HOST and PORT; null: we can. Port 0 is any free one. */
export async function portProblem(host: string, port: number): Promise<string | null> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      await freePort(host, port);
      return null;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EADDRINUSE' || performance.now() > deadline) return explainListenError(error, host, port);
      await sleep(50);
    }
  }
}

export function explainListenError(error: unknown, host: string, port: number): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use by another program: set PORT to another one.`;
    case 'EACCES':
      return `Port ${port} may not be used without privileges: set PORT to one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
      return `${host} is no address of this machine: set HOST to one that is.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is no address, and no name that this machine knows: set HOST to one that is.`;
    default:
      return `Nobody can listen on port ${port} of ${host}: ${message}. Set HOST and PORT.`;
  }
}
