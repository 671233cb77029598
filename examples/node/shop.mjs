/**
 * A shop that takes crypto. An order is paid when a webhook says so, never because a customer comes back.
 * Quittance must run (`npm start`); then `npm run example:node` opens the shop.
 */
import { createServer } from 'node:http';
import { Client, chargeTotal, isCredited, readWebhook } from '@quittance/sdk';
import { readAccess } from './access.mjs';
import { addOrder, changeOrder, findOrder } from './orders.mjs';
import { orderPage, problemPage, shopPage } from './pages.mjs';

const products = new Map([
  ['tea', { name: 'Green tea', price: '4.50' }],
  ['pot', { name: 'Teapot', price: '39.90' }],
  ['cup', { name: 'Cup', price: '12.00' }],
]);

const { apiKey, apiSecret, baseUrl } = readAccess();
const client = new Client(apiKey, apiSecret, baseUrl);
/** Where customers and webhooks find the shop; its own port, unless something stands in front of it. */
let shopUrl = process.env.SHOP_URL;

/** The order is kept before anybody is asked for money, with the prices of now. */
function takeOrder(form) {
  const product = products.get(form.get('product'));
  const quantity = Number(form.get('quantity'));
  if (!product || !Number.isInteger(quantity) || quantity < 1 || quantity > 99) return null;
  const lineItems = [{ description: product.name, netAmount: product.price, quantity }];
  return addOrder({ billingCurrency: 'EUR', lineItems });
}

/** Where the customer pays. The key names the order: whoever asks again, even after a crash, gets the same checkout. */
async function paymentPage(order) {
  if (order.paymentPage) return order.paymentPage;
  const checkout = await client.checkouts.createHosted(
    {
      charge: order.charge,
      webhook: `${shopUrl}/webhook`,
      pageSettings: { shopName: 'The tea shop', returnUrl: `${shopUrl}/orders/${order.id}` },
      meta: { order: order.id },
    },
    { idempotencyKey: `order-${order.id}` },
  );
  changeOrder(order.id, { checkoutId: checkout.id, paymentPage: checkout.url });
  return checkout.url;
}

/** Anybody can send anything here. Every answer but 2xx makes Quittance try again, for days. */
function hearWebhook(body, headers) {
  const { event, problem } = readWebhook(body, headers, {
    apiSecret,
    webhookSecret: process.env.QUITTANCE_WEBHOOK_SECRET,
  });
  if (!event) return { status: 401, text: problem };
  const { checkout } = event.data;
  if (!checkout) return { status: 200, text: 'Not about a checkout.' };
  const order = findOrder(checkout.meta?.order);
  if (!order || !isFor(order, checkout)) return { status: 409, text: 'Not what was ordered here.' };

  changeOrder(order.id, { state: checkout.state });
  // The same event may come twice, but an order becomes paid once.
  if (isCredited(checkout) && !isCredited(order)) console.log(`Order ${order.id} is paid: send it.`);
  return { status: 200, text: 'Thank you.' };
}

/** A genuine webhook may be about another checkout: whoever makes one for us can write any order into its `meta`. */
function isFor(order, { id, payload: { charge } }) {
  return (
    id === order.checkoutId &&
    charge.billingCurrency === order.charge.billingCurrency &&
    chargeTotal(charge) === chargeTotal(order.charge)
  );
}

async function answer(request) {
  const { pathname } = new URL(request.url, shopUrl);
  const called = `${request.method} ${pathname}`;
  if (called === 'GET /') return { status: 200, html: shopPage(products) };
  if (called === 'POST /webhook') return hearWebhook(await bodyOf(request), request.headers);
  if (called === 'POST /orders') {
    const order = takeOrder(new URLSearchParams(`${await bodyOf(request)}`));
    if (!order) return { status: 400, html: problemPage('We sell 1 to 99 of what we have.') };
    return { status: 303, location: await paymentPage(order) };
  }
  const [, id, action] = /^\/orders\/([^/]+)(\/pay)?$/.exec(pathname) ?? [];
  const order = findOrder(id);
  if (!order) return { status: 404, html: problemPage('There is nothing here.') };
  if (request.method === 'POST' && action) return { status: 303, location: await paymentPage(order) };
  return { status: 200, html: orderPage(order) };
}

async function bodyOf(request) {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > 1_000_000) throw new Error('Nobody honest sends us that much.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const server = createServer(async (request, response) => {
  const { status, html, text, location } = await answer(request).catch((error) => {
    console.error(`${error}`);
    return { status: 503, html: problemPage('That does not work at the moment. Please try again.') };
  });
  const type = html ? 'text/html; charset=utf-8' : 'text/plain';
  response.writeHead(status, { 'content-type': type, ...(location && { location }) }).end(html ?? text);
});

try {
  await client.authTest();
} catch (error) {
  console.error(`Quittance at ${baseUrl} does not let the shop in. Does it run? ${error.message}`);
  process.exit(1);
}
server.listen(process.env.PORT ?? 3001, '127.0.0.1', () => {
  shopUrl ??= `http://127.0.0.1:${server.address().port}`;
  console.log(`The shop is open: http://127.0.0.1:${server.address().port}`);
});
