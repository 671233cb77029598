import { hours } from '../../lib/clock.ts';
import { issuedAsset } from '../port/asset-definition.ts';
import { namedAlike } from '../port/definition.ts';
import type { RegisteredNetwork } from '../port/registered-network.ts';

export const sepaNetwork: RegisteredNetwork = {
  identity: {
    id: 'SEPA',
    name: 'SEPA',
    type: 'BANK',
    imageSrc: '/images/networks/sepa.svg',
    bridged: true,
    assets: namedAlike('EUR'),
    paymentWindowMs: hours(7 * 24), // A transfer takes a banking day, and two weekends with a holiday lie in a week.
    takesOwnCurrencyOnly: true,
    holderNeeds: ['name'],
  },
  assets: [issuedAsset('EUR', 'Euro', { hexColor: '#1e3a9f', ledgerScale: 7 })],
  images: new URL('./images/', import.meta.url),
};
