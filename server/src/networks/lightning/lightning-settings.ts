import { readFileSync } from 'node:fs';
import { Secret } from '../../lib/secret.ts';
import { choice, integer, onOrOff } from '../../lib/setting-kinds.ts';
import { describeSettings, type Kind, type SettingTable, type Told } from '../../lib/setting-table.ts';
import { toUnits } from '../../money/decimal.ts';
import { decimalUpTo } from '../../money/decimal-kinds.ts';
import type { SettingsOf } from '../settings-reader.ts';
import { defaultHoldBlocks, type LightningSettings } from './lightning.ts';

const isHex = (text: string): boolean => /^([0-9a-f]{2})+$/i.test(text);

function readText(path: string, encoding: 'hex' | 'utf8', { name, problem }: Told): string {
  try {
    return readFileSync(path, encoding);
  } catch {
    problem(`${name} names a file that cannot be read.`);
    return '';
  }
}

const macaroon: Kind<Secret> = {
  isSecret: true,
  read: (given, told) => new Secret(isHex(given) ? given : readText(given, 'hex', told)),
};

/** An environment has no line breaks, so PEM text may write them as \n. */
const certificate: Kind<string> = {
  read: (given, told) =>
    given.startsWith('-----BEGIN') ? given.replaceAll('\\n', '\n') : readText(given, 'utf8', told),
};

const restUrl: Kind<string> = {
  isSecret: true, // It may contain a user and a password, of a proxy before the node.
  read(given, { name, problem }) {
    if (!/^https?:$/.test(URL.parse(given)?.protocol ?? '')) problem(`${name} must begin with https:// or http://.`);
    return given;
  },
};

const prefix = 'LIGHTNING_';
const table = {
  REST_URL: {
    kind: restUrl,
    otherwise: 'the sandbox',
    meaning: 'https://host:port of the REST interface of LND.',
    // Whoever reads the macaroon on its way can spend what the node holds.
    wrongInProduction: (url?: string) =>
      url === undefined || URL.parse(url)?.protocol === 'https:' ? null : 'must begin with https:// in production.',
  },
  MACAROON: {
    kind: macaroon,
    otherwise: 'the sandbox',
    meaning:
      'In hex, or its file. Needs info:read, offchain:read, invoices:read and invoices:write; to send, offchain:write.',
  },
  TLS_CERT: {
    kind: certificate,
    otherwise: 'a public authority',
    meaning: "LND's own certificate: its file, or PEM text.",
  },
  CHAIN: {
    kind: choice('main', 'test', 'regtest'),
    fallback: 'main',
    meaning: 'main, test or regtest.',
    wrongInProduction: (chain?: string) => (chain === 'regtest' ? 'must not be regtest in production.' : null),
  },
  SEND: {
    kind: onOrOff,
    fallback: 'off',
    meaning: 'on: the node also pays invoices, which needs offchain:write.',
  },
  FEE_LIMIT_PERCENT: {
    kind: decimalUpTo('100'),
    fallback: '1',
    meaning: 'What sending may cost, of the amount; 0.5 …',
  },
  FEE_LIMIT_MINIMUM: {
    kind: integer(0, 999_999_999),
    fallback: '10',
    meaning: 'Satoshis that sending may cost in any case.',
  },
  HOLD_BLOCKS: {
    kind: integer(144, 2_016),
    fallback: String(defaultHoldBlocks),
    meaning:
      'For how many blocks whoever is paid may hold a payment: 144 are a day. No more than `max-cltv-expiry` of LND.',
  },
} satisfies SettingTable;

export const lightningSettings: SettingsOf<LightningSettings> = {
  described: describeSettings(table, prefix),
  read({ of, problem }) {
    const value = of(table, prefix);
    const chain = value('CHAIN');
    const isSending = value('SEND');
    const feeLimit = {
      partsPerMillion: toUnits(value('FEE_LIMIT_PERCENT'), 4, 'down'),
      minimumUnits: BigInt(value('FEE_LIMIT_MINIMUM')),
    };
    const [restUrl, macaroon] = [value('REST_URL'), value('MACAROON')];
    if (restUrl === undefined && macaroon === undefined) return undefined;
    if (restUrl === undefined) problem('LIGHTNING_REST_URL must be set, because LIGHTNING_MACAROON is.');
    if (macaroon === undefined) problem('LIGHTNING_MACAROON must be set, because LIGHTNING_REST_URL is.');
    if (restUrl === undefined || macaroon === undefined) return undefined;
    const tlsCertificate = value('TLS_CERT') ?? null;
    const holdBlocksMax = value('HOLD_BLOCKS');
    return { restUrl, macaroon, tlsCertificate, chain, holdBlocksMax, ...(isSending && { feeLimit }) };
  },
};
