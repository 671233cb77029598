import { hours } from '../../lib/clock.ts';
import { issuedAsset } from '../port/asset-definition.ts';
import { namedAlike } from '../port/definition.ts';
import type { RegisteredNetwork } from '../port/registered-network.ts';

export const swiftNetwork: RegisteredNetwork = {
  identity: {
    id: 'SWIFT',
    name: 'SWIFT',
    type: 'BANK',
    imageSrc: '/images/networks/swift.svg',
    bridged: true,
    assets: namedAlike('USD', 'EUR'),
    paymentWindowMs: hours(14 * 24), // Banks in between have days of their own.
    takesOwnCurrencyOnly: true,
    holderNeeds: ['name', 'town', 'country', 'bic'],
  },
  assets: [issuedAsset('USD', 'US Dollar', { hexColor: '#4d7c0f', ledgerScale: 7 })],
  images: new URL('./images/', import.meta.url),
};
