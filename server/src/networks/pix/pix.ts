import { issuedAsset } from '../port/asset-definition.ts';
import { namedAlike } from '../port/definition.ts';
import type { RegisteredNetwork } from '../port/registered-network.ts';

export const pixNetwork: RegisteredNetwork = {
  identity: {
    id: 'PIX',
    name: 'Pix',
    type: 'BANK',
    imageSrc: '/images/networks/pix.svg',
    bridged: true,
    assets: namedAlike('BRL'),
    takesOwnCurrencyOnly: true,
  },
  assets: [issuedAsset('BRL', 'Brazilian Real', { hexColor: '#b7860b', ledgerScale: 7 })],
  images: new URL('./images/', import.meta.url),
};
