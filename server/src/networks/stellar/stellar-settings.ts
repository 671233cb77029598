import { Secret } from '../../lib/secret.ts';
import { isAccountId, issuerKeypair, readSeed } from '../../lib/strkey.ts';
import type { SettingsOf, SettingsReader } from '../settings-reader.ts';
import { defaultChannels, publicPassphrase, type StellarSettings, stellarAssetCodes } from './stellar.ts';

const channelsMax = 100;

export const stellarSettings: SettingsOf<StellarSettings> = {
  described: [
    { name: 'STELLAR_HORIZON_URL', fallback: 'the sandbox', meaning: 'https://… of the Horizon server to read from.' },
    { name: 'STELLAR_ACCOUNT', fallback: 'generated', meaning: 'The account that receives; G and 55 characters.' },
    { name: 'STELLAR_NETWORK_PASSPHRASE', fallback: 'the public network', meaning: 'Which Stellar network this is.' },
    {
      name: 'STELLAR_ASSETS',
      fallback: 'XLM,USDC',
      meaning: 'What is taken there. The account needs a trustline to USDC.',
    },
    {
      name: 'STELLAR_SECRET',
      fallback: 'none: it only receives',
      meaning: 'The seed of STELLAR_ACCOUNT, S and 55 characters. With it, money is sent and balances are claimed.',
    },
    {
      name: 'STELLAR_CHANNELS',
      fallback: String(defaultChannels),
      meaning: 'How many channel accounts payments go out over; each holds a lumen. They are opened by themselves.',
    },
    {
      name: 'ISSUER_SECRET',
      fallback: 'none: no bridge',
      meaning: 'The seed of ISSUER_ACCOUNT. With it, tokens are issued on Stellar against coins held elsewhere.',
    },
    {
      name: 'BRIDGE_ASSETS',
      fallback: 'all coins of other networks',
      meaning: 'What is issued: BTC,BTCLN,LTC,ETH,USDT.',
    },
    {
      name: 'STELLAR_URI_SIGNING_SEED',
      fallback: 'none: links are not signed',
      meaning:
        'The seed that signs links of SEP-7 for the domain of PUBLIC_URL. Not the seed of an account with money.',
    },
  ],
  read(reader) {
    const { given, problem } = reader;
    const horizonUrl = given('STELLAR_HORIZON_URL');
    const account = given('STELLAR_ACCOUNT');
    if (horizonUrl === undefined && account === undefined) return undefined;
    if (horizonUrl === undefined) problem('STELLAR_HORIZON_URL must be set, because STELLAR_ACCOUNT is.');
    else if (!/^https?:\/\//.test(horizonUrl)) problem('STELLAR_HORIZON_URL must begin with http:// or https://.');
    if (account === undefined) problem('STELLAR_ACCOUNT must be set, because STELLAR_HORIZON_URL is.');
    else if (!isAccountId(account))
      problem('STELLAR_ACCOUNT must be a Stellar account id (G and 55 further characters).');
    const named = (given('STELLAR_ASSETS') ?? stellarAssetCodes.join(',')).split(',').map((code) => code.trim());
    const assets = stellarAssetCodes.filter((code) => named.includes(code));
    if (assets.length === 0 || assets.length !== named.length)
      problem(`STELLAR_ASSETS must be a list of ${stellarAssetCodes.join(' and ')}, each at most once.`);
    const secret = seedOf('STELLAR_SECRET', { given, problem });
    if (secret && secret.accountId !== account) problem('STELLAR_SECRET must be the seed of STELLAR_ACCOUNT.');
    if (secret && !named.includes('XLM'))
      problem('STELLAR_ASSETS must contain XLM to send, because fees are paid in it.');
    const channels = Number(given('STELLAR_CHANNELS') ?? defaultChannels);
    if (!Number.isInteger(channels) || channels < 0 || channels > channelsMax)
      problem(`STELLAR_CHANNELS must be a whole number from 0 to ${channelsMax}.`);
    const bridge = bridgeOf(reader, secret !== undefined);
    const uriSigning = seedOf('STELLAR_URI_SIGNING_SEED', { given, problem });
    const originDomain = domainOf(given('PUBLIC_URL'));
    if (horizonUrl === undefined || account === undefined) return undefined;
    return {
      ...{ horizonUrl, account, assets, passphrase: given('STELLAR_NETWORK_PASSPHRASE') ?? publicPassphrase, channels },
      ...(secret && { secret: secret.seed }),
      ...(bridge && { bridge }),
      ...(uriSigning && { uriSigningSeed: uriSigning.seed }),
      ...(originDomain !== undefined && { originDomain }),
    };
  },
};

function bridgeOf(
  reader: Pick<SettingsReader, 'given' | 'problem' | 'issuedCoins'>,
  canSign: boolean,
): StellarSettings['bridge'] | undefined {
  const { given, problem, issuedCoins } = reader;
  const issuer = given('ISSUER_ACCOUNT');
  const secret = seedOf('ISSUER_SECRET', reader);
  const codes = (given('BRIDGE_ASSETS') ?? issuedCoins.join(',')).split(',').map((code) => code.trim());
  for (const code of codes)
    if (!issuedCoins.includes(code))
      problem(`BRIDGE_ASSETS may contain ${issuedCoins.join(', ')}, but contains ${JSON.stringify(code)}.`);
  if (!secret || issuer === undefined) return undefined;
  if (secret.accountId !== issuer) problem('ISSUER_SECRET must be the seed of ISSUER_ACCOUNT.');
  if (!canSign) problem('STELLAR_SECRET must be set, because ISSUER_SECRET is: the tokens go to that account.');
  return { issuer, secret: secret.seed, codes: [...new Set(codes)] };
}

function seedOf(name: string, { given, problem }: Pick<SettingsReader, 'given' | 'problem'>) {
  const text = given(name);
  if (text === undefined) return undefined;
  const seed = readSeed(text);
  if (!seed) return problem(`${name} must be a Stellar seed (S and 55 further characters).`);
  return { seed: new Secret(text), accountId: issuerKeypair(seed).accountId };
}

/** SEP-7 wants a domain under which wallets find stellar.toml: with dots, without a port. */
function domainOf(publicUrl: string | undefined): string | undefined {
  const host = /^https:\/\/([^/?#]+)$/.exec(publicUrl?.replace(/\/+$/, '') ?? '')?.[1];
  return host !== undefined && /^(?=.*[a-z])[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(host) ? host : undefined;
}
