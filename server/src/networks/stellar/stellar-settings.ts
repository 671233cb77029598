import type { Secret } from '../../lib/secret.ts';
import { integer, list, nodeUrl, stellarAccount, stellarSeed, text } from '../../lib/setting-kinds.ts';
import { describeSettings, type Kind, type SettingTable } from '../../lib/setting-table.ts';
import type { SettingsOf } from '../settings-reader.ts';
import {
  defaultChannels,
  publicPassphrase,
  type StellarAssetCode,
  type StellarSettings,
  stellarAssetCodes,
} from './stellar.ts';

const assets: Kind<readonly StellarAssetCode[]> = {
  read(given, { name, problem }) {
    const named = given.split(',').map((code) => code.trim());
    const known = stellarAssetCodes.filter((code) => named.includes(code));
    if (known.length === 0 || known.length !== named.length)
      problem(`${name} must be a list of ${stellarAssetCodes.join(' and ')}, each at most once.`);
    return known;
  },
};

/** The client of Horizon speaks no basic authentication, and would repeat an address that asks for it. */
const horizonUrl: Kind<Secret> = {
  isSecret: true,
  read(given, told) {
    const { username = '', password = '' } = URL.parse(given) ?? {};
    if (username + password !== '') told.problem(`${told.name} must not contain a user name or a password.`);
    return nodeUrl.read(given, told);
  },
};

const table = {
  STELLAR_HORIZON_URL: {
    kind: horizonUrl,
    otherwise: 'the sandbox',
    meaning: 'https://… of the Horizon server to read from.',
  },
  STELLAR_ACCOUNT: {
    kind: stellarAccount,
    otherwise: 'generated',
    meaning: 'The account that receives; G and 55 characters.',
  },
  STELLAR_NETWORK_PASSPHRASE: {
    kind: text,
    fallback: publicPassphrase,
    otherwise: 'the public network',
    meaning: 'Which Stellar network this is.',
  },
  STELLAR_ASSETS: {
    kind: assets,
    fallback: stellarAssetCodes.join(','),
    meaning: 'What is taken there. The account needs a trustline to USDC.',
  },
  STELLAR_SECRET: {
    kind: stellarSeed,
    otherwise: 'none: it only receives',
    meaning: 'The seed of STELLAR_ACCOUNT, S and 55 characters. With it, money is sent and balances are claimed.',
  },
  STELLAR_CHANNELS: {
    kind: integer(0, 100),
    fallback: String(defaultChannels),
    meaning: 'How many channel accounts payments go out over; each holds a lumen. They are opened by themselves.',
  },
  ISSUER_SECRET: {
    kind: stellarSeed,
    otherwise: 'none: no bridge',
    meaning: 'The seed of ISSUER_ACCOUNT. With it, tokens are issued on Stellar against coins held elsewhere.',
  },
  BRIDGE_ASSETS: {
    kind: list((code) => code),
    otherwise: 'all coins of other networks',
    meaning: 'What is issued, with ISSUER_SECRET, such as BTC,ETH.',
  },
  STELLAR_URI_SIGNING_SEED: {
    kind: stellarSeed,
    otherwise: 'none: links are not signed',
    meaning: 'The seed that signs links of SEP-7 for the domain of PUBLIC_URL. Not the seed of an account with money.',
  },
} satisfies SettingTable;

export const stellarSettings: SettingsOf<StellarSettings> = {
  described: describeSettings(table),
  read({ of, given, problem, issuedCoins }) {
    const value = of(table);
    const [horizonUrl, account] = [value('STELLAR_HORIZON_URL'), value('STELLAR_ACCOUNT')];
    if (horizonUrl === undefined && account === undefined) return undefined;
    if (horizonUrl === undefined) problem('STELLAR_HORIZON_URL must be set, because STELLAR_ACCOUNT is.');
    if (account === undefined) problem('STELLAR_ACCOUNT must be set, because STELLAR_HORIZON_URL is.');
    const assets = value('STELLAR_ASSETS');
    const secret = value('STELLAR_SECRET');
    if (secret && secret.accountId !== account) problem('STELLAR_SECRET must be the seed of STELLAR_ACCOUNT.');
    if (secret && !assets.includes('XLM'))
      problem('STELLAR_ASSETS must contain XLM to send, because fees are paid in it.');
    const channels = value('STELLAR_CHANNELS');
    const issuer = given('ISSUER_ACCOUNT');
    const issuerSecret = value('ISSUER_SECRET');
    const codes = value('BRIDGE_ASSETS') ?? issuedCoins;
    for (const code of codes)
      if (!issuedCoins.includes(code))
        problem(`BRIDGE_ASSETS may contain ${issuedCoins.join(', ')}, but contains ${JSON.stringify(code)}.`);
    const bridge = issuerSecret &&
      issuer !== undefined && { issuer, secret: issuerSecret.seed, codes: [...new Set(codes)] };
    if (bridge && issuerSecret.accountId !== issuer) problem('ISSUER_SECRET must be the seed of ISSUER_ACCOUNT.');
    if (bridge && !secret)
      problem('STELLAR_SECRET must be set, because ISSUER_SECRET is: the tokens go to that account.');
    const uriSigning = value('STELLAR_URI_SIGNING_SEED');
    const originDomain = domainOf(given('PUBLIC_URL'));
    if (horizonUrl === undefined || account === undefined) return undefined;
    return {
      horizonUrl,
      account,
      assets,
      passphrase: value('STELLAR_NETWORK_PASSPHRASE'),
      channels,
      ...(secret && { secret: secret.seed }),
      ...(bridge && { bridge }),
      ...(uriSigning && { uriSigningSeed: uriSigning.seed }),
      ...(originDomain !== undefined && { originDomain }),
    };
  },
};

/** SEP-7 wants a domain under which wallets find stellar.toml: with dots, without a port. */
function domainOf(publicUrl: string | undefined): string | undefined {
  const host = /^https:\/\/([^/?#]+)$/.exec(publicUrl?.replace(/(?<!\/)\/+$/, '') ?? '')?.[1];
  return host !== undefined && /^(?=.*[a-z])[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(host) ? host : undefined;
}
