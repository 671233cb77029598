/**
 * The addresses of a name that somebody else chose, asked of the name servers themselves. The system's own way (`dns.lookup`) takes
 * one of the four threads in which the process also compresses pages and checks passwords, and keeps it until it gives up: four
 * names whose servers are silent would stop both for everybody. So names of the hosts file are not known here.
 */
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

export type Resolve = (hostname: string) => Promise<readonly string[]>;

const patience = { timeout: 2_500, tries: 2 };
const ownNames = /^(.+\.)?localhost\.?$/i;

/** `servers`: left out, those of the system. Throws where there is no such name. */
export function createResolve({ servers }: { readonly servers?: readonly string[] } = {}): Resolve {
  const resolver = new Resolver(patience);
  if (servers) resolver.setServers(servers);
  return async (hostname) => {
    // An address is what it says.
    if (isIP(hostname) !== 0) return [hostname];
    // Never asked of anybody (RFC 6761).
    if (ownNames.test(hostname)) return ['127.0.0.1', '::1'];
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
    return [four, six].flatMap((found) => (found.status === 'fulfilled' ? found.value : []));
  };
}
