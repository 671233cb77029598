import { isAccountId } from '../../lib/strkey.ts';
import type { SettingsOf } from '../settings-reader.ts';
import { publicPassphrase, type StellarSettings, stellarAssetCodes } from './stellar.ts';

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
  ],
  read({ given, problem }) {
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
    if (horizonUrl === undefined || account === undefined) return undefined;
    return { horizonUrl, account, assets, passphrase: given('STELLAR_NETWORK_PASSPHRASE') ?? publicPassphrase };
  },
};
