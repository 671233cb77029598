/**
 * Whether a merchant's own domain shows its pages, looked at from outside as a customer's browser would: its name, what
 * answers there, and whether that has a key of this merchant.
 */
import { FetchFailed, type GuardedFetch, type GuardedReply } from '../lib/guarded-fetch.ts';
import { addressKind } from '../lib/public-address.ts';
import { createResolve, type Resolve } from '../lib/resolve-host.ts';
import { waitOutside } from '../lib/wait-outside.ts';
import type { BrandDomain } from './brand-domain-store.ts';
import { holderOf } from './branding-key.ts';

export const domainFindings = ['noName', 'notPublic', 'silent', 'other', 'keyRefused', 'works'] as const;

export type DomainCheck = {
  readonly is: (typeof domainFindings)[number];
  /** Public ones only: others would tell a stranger about the network around us. */
  readonly addresses: readonly string[];
  /** What came back, in words for who knows what they mean. Empty: nothing to add. */
  readonly detail: string;
};

type Deps = { readonly fetch: GuardedFetch; readonly addressesOf?: Resolve };

const resolve = createResolve();
const publishedAddresses: Resolve = (name) => waitOutside(() => resolve(name)).catch(() => []);

export async function checkBrandDomain(
  { fetch, addressesOf = publishedAddresses }: Deps,
  named: Pick<BrandDomain, 'merchantId' | 'domain' | 'origin'>,
): Promise<DomainCheck> {
  const { domain, origin } = named;
  const all = await addressesOf(domain);
  const addresses = all.filter((address) => addressKind(address) === 'public');
  const found = (is: DomainCheck['is'], detail = ''): DomainCheck => ({ is, addresses, detail });
  if (all.length === 0) return found('noName');
  try {
    const health = await fetch({ url: `${origin}/api/v1/status` });
    if (health.status === 403) return found('keyRefused');
    if (!isTheirs(health, named)) return found('other', `HTTP ${health.status}`);
    const page = await fetch({ url: `${origin}/en/checkout-invalid` });
    return page.status === 404 ? found('works') : found('other', `HTTP ${page.status}`);
  } catch (error) {
    if (!(error instanceof FetchFailed)) throw error;
    return found(addresses.length === 0 ? 'notPublic' : 'silent', error.message);
  }
}

/** What the service says to a container with a key of this merchant. Another merchant's is told something else. */
function isTheirs({ status, body }: GuardedReply, named: Pick<BrandDomain, 'merchantId' | 'domain'>): boolean {
  if (status !== 200) return false;
  try {
    const said: { domain?: unknown; holder?: unknown } | null = JSON.parse(body);
    return said?.domain === named.domain && said.holder === holderOf(named);
  } catch {
    return false;
  }
}
