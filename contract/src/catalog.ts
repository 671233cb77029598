/** What can be paid with, billed in, credited and spoken: networks, assets, currencies and languages. */
import type { Static } from 'typebox';
import { Type } from './json-schema.ts';

const path = (description: string) =>
  Type.String({ description: `${description}, relative to the public web host.`, pattern: '^/images/' });

export const networkType = Type.Enum(['BLOCKCHAIN', 'BANK'], {
  title: 'NetworkType',
  description: 'What kind of rail the network is.',
});

export const network = Type.Object(
  {
    id: Type.String({ description: 'Network identifier, for example BITCOIN.' }),
    name: Type.String({ description: 'Network name for people.' }),
    type: networkType,
    imageSrc: path('Icon path of the network'),
    deposits: Type.Boolean({ description: 'Whether checkouts and deposits can be paid over the network.' }),
    transfers: Type.Boolean({
      description: 'Whether transfers can be sent over the network. Refunds may go back also where they cannot.',
    }),
    bridged: Type.Boolean({
      description: 'True if bridged via Stellar (SEP-6 or OTC), false if native to the platform.',
    }),
    assets: Type.Array(Type.String(), {
      description: 'Ids of the assets that can be received and redeemed over the network. The first is its default.',
    }),
  },
  { title: 'Network', description: 'A payment network.' },
);

export const riskLevel = Type.Enum(['LOW', 'MEDIUM', 'HIGH'], {
  title: 'RiskLevel',
  description:
    'LOW: native to Stellar and widely redeemable. MEDIUM: bridged onto Stellar by a custodian. ' +
    'HIGH: available only after it was enabled in the account settings.',
});

export const asset = Type.Object(
  {
    id: Type.String({ description: 'Asset id: the code and the issuer joined by a colon, or XLM:NATIVE.' }),
    assetCode: Type.String({ description: 'Asset code, for example BTC.' }),
    assetIssuer: Type.String({ description: 'Issuing account on Stellar, or NATIVE for the native asset.' }),
    name: Type.String({ description: 'Asset name for people.' }),
    group: Type.String({ description: 'What the asset is worth: USDC and USDT are of the group USD.' }),
    groupImageSrc: path('Icon path of the group'),
    issuerName: Type.String({ description: 'Name of the issuer in plain English.' }),
    issuerDomain: Type.String({ description: 'Web domain of the issuer.' }),
    issuerAddress: Type.String({ description: 'Physical address of the issuer.' }),
    imageSrc: path('Icon path of the asset'),
    checkouts: Type.Boolean({ description: 'Whether checkouts can be paid with the asset.' }),
    deposits: Type.Boolean({ description: 'Whether deposits can be made in the asset.' }),
    settlement: Type.Boolean({ description: 'Whether checkouts can be settled in the asset.' }),
    swaps: Type.Boolean({
      description:
        'Whether the asset can be the source or the target of a swap. What an account holds of another one can be ' +
        'swapped away all the same.',
    }),
    transfers: Type.Boolean({ description: 'Whether the asset can be transferred to an outside account.' }),
    hexColor: Type.String({ description: 'Colour for charts.', pattern: '^#[0-9a-f]{6}$' }),
    riskLevel,
    bridge: Type.Boolean({ description: 'Whether the asset is bridged via Stellar (SEP-6 or OTC).' }),
    networks: Type.Array(Type.String(), {
      description: 'Ids of the networks on which payments in the asset are processed.',
    }),
  },
  { title: 'Asset', description: 'An asset that accounts can hold.' },
);

export const currency = Type.Object(
  {
    assetCode: Type.String({ description: 'Currency code, for example EUR.' }),
    name: Type.String({ description: 'Currency name for people.' }),
    type: Type.Enum(['CRYPTO', 'FIAT'], { title: 'CurrencyType', description: 'What kind of money it is.' }),
    billing: Type.Boolean({ description: 'Whether a charge can be written in the currency.' }),
    settlement: Type.Boolean({ description: 'Whether checkouts and deposits can be settled in the currency.' }),
    payment: Type.Boolean({ description: 'Whether checkouts and deposits can be paid in the currency.' }),
  },
  { title: 'Currency', description: 'A currency.' },
);

export const language = Type.Object(
  {
    languageCode: Type.String({ description: 'ISO 639-1 code, usable as checkoutLanguage.', pattern: '^[a-z]{2}$' }),
    name: Type.String({ description: 'The name of the language in that language.' }),
  },
  { title: 'Language', description: 'A language of the hosted pages.' },
);

export const networksReply = Type.Object(
  { networks: Type.Array(network, { description: 'Every network the service knows.' }) },
  { title: 'NetworkList', description: 'The networks.' },
);

export const assetsReply = Type.Object(
  { assets: Type.Array(asset, { description: 'Every asset the account may hold. ORIGIN is not an asset.' }) },
  { title: 'AssetList', description: 'The assets.' },
);

export const currenciesReply = Type.Object(
  { currencies: Type.Array(currency, { description: 'Every currency the service knows.' }) },
  { title: 'CurrencyList', description: 'The currencies.' },
);

export const languagesReply = Type.Object(
  {
    languages: Type.Array(language, {
      description: 'Every language that a checkout can be created with. `auto` is not one.',
    }),
  },
  { title: 'LanguageList', description: 'The languages.' },
);

export type Network = Static<typeof network>;
export type Asset = Static<typeof asset>;
export type RiskLevel = Static<typeof riskLevel>;
export type Currency = Static<typeof currency>;
export type Language = Static<typeof language>;
