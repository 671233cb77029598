/** Links of SEP-7 that name their origin, with a signature that wallets check by our stellar.toml. */
import type { Secret } from '../../lib/secret.ts';
import { issuerKeypair, readSeed, signWithSeed } from '../../lib/strkey.ts';

export type Sep7Settings = { readonly uriSigningSeed?: Secret; readonly originDomain?: string };

/** 35 zero bytes and a 4, so that what is signed can never be taken for a transaction. */
const payloadHeader = Buffer.concat([Buffer.alloc(35), Buffer.of(4)]);
const payloadPrefix = 'stellar.sep.7 - URI Scheme';

/** Undefined: there is no key, or no domain under which it could be looked up. Then the link is not signed. */
export function createSep7Signer({
  uriSigningSeed,
  originDomain,
}: Sep7Settings): ((link: string) => string) | undefined {
  const seed = uriSigningSeed && readSeed(uriSigningSeed.reveal());
  if (!seed || originDomain === undefined) return undefined;
  return (link) => {
    const request = `${link}&origin_domain=${encodeURIComponent(originDomain)}`;
    const payload = Buffer.concat([payloadHeader, Buffer.from(`${payloadPrefix}${request}`)]);
    return `${request}&signature=${encodeURIComponent(signWithSeed(seed, payload).toString('base64'))}`;
  };
}

/** What stellar.toml publishes as URI_REQUEST_SIGNING_KEY. */
export function sep7SigningKey({ uriSigningSeed }: Sep7Settings): string | null {
  const seed = uriSigningSeed && readSeed(uriSigningSeed.reveal());
  return seed ? issuerKeypair(seed).accountId : null;
}
