/** An API key with its secret, and the forms in which the database holds them. */
import { createHash, randomBytes } from 'node:crypto';
import type { Scope } from '@quittance/contract/permissions';
import { apiSecretContext, type Encryption } from '../lib/encryption.ts';
import { newApiSecret, newId } from '../lib/ids.ts';
import { Secret } from '../lib/secret.ts';
import type { KeyToStore } from './api-key-store.ts';

/** What a shop needs; a stolen key can do no more, unless somebody asked for more. */
export const usualScopes: readonly Scope[] = ['charge'];

/** Shown once, to be copied into the settings of a shop. */
export type ApiCredentials = { readonly apiKey: string; readonly apiSecret: Secret };

export const newApiCredentials = (apiKey: string = newId()): ApiCredentials => ({
  apiKey,
  apiSecret: new Secret(newApiSecret()),
});

/** Standard Webhooks: base64 of 32 random bytes behind `whsec_`. */
export const newWebhookSecret = (): Secret => new Secret(`whsec_${randomBytes(32).toString('base64')}`);

/** What a client sends as X-Basic (spec §5.2). */
export const basicValue = ({ apiKey, apiSecret }: ApiCredentials): string =>
  createHash('sha256').update(`${apiKey}:${apiSecret.reveal()}`).digest('hex');

/** X-Basic works like a password, so the database holds only its hash, and is searched by it. */
export const basicDigest = (value: string): Buffer => createHash('sha256').update(value).digest();

export const keyToStore = (merchantId: string, credentials: ApiCredentials, encryption: Encryption): KeyToStore => ({
  merchantId,
  key: credentials.apiKey,
  secret: encryption.encrypt(credentials.apiSecret, apiSecretContext(credentials.apiKey)),
  basicDigest: basicDigest(basicValue(credentials)),
});
