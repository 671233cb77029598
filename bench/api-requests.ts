/** The requests that are measured, as a shop would send them. */
import type { ApiRequest } from './signed-request.ts';

export type CreatePath = '/checkout' | '/checkout/hosted';

export const createRequest = (path: CreatePath, order: number): ApiRequest => ({
  method: 'POST',
  path,
  body: JSON.stringify({
    charge: {
      billingCurrency: 'USD',
      lineItems: [
        { description: 'Coffee beans, dark roast, 1 kg', netAmount: '18.50', quantity: '2' },
        { description: 'Paper filters, box of 100', netAmount: '4.25' },
      ],
      shippingCostItems: [{ description: 'Parcel service', netAmount: '4.90', taxable: true }],
      taxItems: [{ name: 'VAT', percent: '0.19' }],
    },
    settlementAsset: 'ORIGIN',
    webhook: 'https://shop.example.com/webhooks/payments',
    meta: { orderId: `2026-${order}`, source: 'web' },
    ...(path === '/checkout/hosted' && {
      pageSettings: {
        returnUrl: `https://shop.example.com/orders/${order}/thank-you`,
        cancelUrl: `https://shop.example.com/orders/${order}/payment`,
      },
    }),
  }),
});

export const commitRequest = (checkoutId: string): ApiRequest => ({
  method: 'POST',
  path: '/checkout/commit',
  body: JSON.stringify({ checkoutId, network: 'BITCOIN' }),
});

export const readRequest = (id: string): ApiRequest => ({ method: 'GET', path: `/checkout?id=${id}`, body: '' });
