import { readFileSync } from 'node:fs';
import { Secret } from '../../lib/secret.ts';
import { decimal, isLess, parseDecimal, toUnits, zero } from '../../money/decimal.ts';
import type { SettingsOf, SettingsReader } from '../settings-reader.ts';
import type { LightningSettings } from './lightning.ts';
import type { FeeLimit } from './lightning-order.ts';

export const lightningSettings: SettingsOf<LightningSettings> = {
  described: [
    { name: 'LIGHTNING_REST_URL', fallback: 'the sandbox', meaning: 'https://host:port of the REST interface of LND.' },
    {
      name: 'LIGHTNING_MACAROON',
      fallback: 'the sandbox',
      meaning:
        'In hex, or its file. Needs info:read, offchain:read, invoices:read and invoices:write; to send, offchain:write.',
    },
    {
      name: 'LIGHTNING_TLS_CERT',
      fallback: 'a public authority',
      meaning: "LND's own certificate: its file, or PEM text.",
    },
    { name: 'LIGHTNING_CHAIN', fallback: 'main', meaning: 'main, test or regtest.' },
    {
      name: 'LIGHTNING_SEND',
      fallback: 'off',
      meaning: 'on: the node also pays invoices, which needs offchain:write.',
    },
    { name: 'LIGHTNING_FEE_LIMIT_PERCENT', fallback: '1', meaning: 'What sending may cost, of the amount; 0.5 …' },
    { name: 'LIGHTNING_FEE_LIMIT_MINIMUM', fallback: '10', meaning: 'Satoshis that sending may cost in any case.' },
  ],
  read(reader) {
    const { given, choice, problem, isProduction } = reader;
    const restUrl = given('LIGHTNING_REST_URL');
    const macaroon = given('LIGHTNING_MACAROON');
    const certificate = given('LIGHTNING_TLS_CERT');
    const chain = choice('LIGHTNING_CHAIN', ['main', 'test', 'regtest'], 'main');
    const isSending = choice('LIGHTNING_SEND', ['on', 'off'], 'off') === 'on';
    const feeLimit = feeLimitFrom(reader);
    if (restUrl === undefined && macaroon === undefined) return undefined;
    if (restUrl === undefined) problem('LIGHTNING_REST_URL must be set, because LIGHTNING_MACAROON is.');
    if (macaroon === undefined) problem('LIGHTNING_MACAROON must be set, because LIGHTNING_REST_URL is.');
    if (isProduction && chain === 'regtest') problem('LIGHTNING_CHAIN must not be regtest in production.');
    if (restUrl === undefined || macaroon === undefined) return undefined;

    const url = URL.parse(restUrl);
    const isTls = url?.protocol === 'https:';
    if (!isTls && url?.protocol !== 'http:') problem('LIGHTNING_REST_URL must begin with https:// or http://.');
    // Whoever reads the macaroon on its way can spend what the node holds.
    if (isProduction && !isTls) problem('LIGHTNING_REST_URL must begin with https:// in production.');
    return {
      restUrl,
      macaroon: new Secret(isHex(macaroon) ? macaroon : fileOf(reader, 'LIGHTNING_MACAROON', macaroon, 'hex')),
      tlsCertificate: certificate === undefined ? null : certificateOf(reader, certificate),
      chain,
      ...(isSending && { feeLimit }),
    };
  },
};

function feeLimitFrom({ given, problem }: SettingsReader): FeeLimit {
  const percent = parseDecimal(given('LIGHTNING_FEE_LIMIT_PERCENT') ?? '1');
  const minimum = given('LIGHTNING_FEE_LIMIT_MINIMUM') ?? '10';
  if (!percent || percent.digits < 0n || isLess(decimal(100), percent))
    problem('LIGHTNING_FEE_LIMIT_PERCENT must be a number from 0 to 100.');
  if (!/^\d{1,9}$/.test(minimum)) problem('LIGHTNING_FEE_LIMIT_MINIMUM must be a whole number of satoshis.');
  return {
    partsPerMillion: toUnits(percent ?? zero, 4, 'down'),
    minimumUnits: /^\d{1,9}$/.test(minimum) ? BigInt(minimum) : 0n,
  };
}

const isHex = (text: string): boolean => /^([0-9a-f]{2})+$/i.test(text);

/** An environment has no line breaks, so PEM text may write them as \n. */
const certificateOf = (reader: SettingsReader, given: string): string =>
  given.startsWith('-----BEGIN') ? given.replaceAll('\\n', '\n') : fileOf(reader, 'LIGHTNING_TLS_CERT', given, 'utf8');

function fileOf({ problem }: SettingsReader, name: string, path: string, encoding: 'hex' | 'utf8'): string {
  try {
    return readFileSync(path, encoding);
  } catch {
    problem(`${name} names a file that cannot be read.`);
    return '';
  }
}
