/** What the customer sees. */
import { chargeTotal, isCredited } from '@quittance/sdk';

const page = (title, body) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>body { font: 1.1rem/1.6 system-ui; max-width: 32rem; margin: 3rem auto; padding: 0 1rem }</style>
<h1>${title}</h1>
${body}
</html>`;

const inCents = new Intl.NumberFormat('en', { minimumFractionDigits: 2 });

export const shopPage = (products) =>
  page(
    'The tea shop',
    `<form method="post" action="/orders">
${[...products]
  .map(
    ([id, { name, price }]) =>
      `<p><label><input type="radio" name="product" value="${id}" required> ${name}, ${price} EUR</label>`,
  )
  .join('\n')}
<p><label>How many? <input type="number" name="quantity" value="1" min="1" max="99" required></label>
<p><button>Order and pay</button>
</form>`,
  );

export function orderPage(order) {
  const { lineItems, billingCurrency } = order.charge;
  const [{ description, quantity }] = lineItems;
  const total = inCents.format(chargeTotal(order.charge)); // Given as text, it is exact to the last digit.
  return page(
    'Your order',
    `<p>${quantity} × ${description}: ${total} ${billingCurrency}
<p><strong>${sentenceOf(order)}</strong>
${order.state === null ? `<form method="post" action="/orders/${order.id}/pay"><button>Pay</button></form>` : ''}
<p><a href="">Look again</a> <a href="/">Back to the shop</a>`,
  );
}

function sentenceOf(order) {
  if (isCredited(order)) return 'It is paid. Thank you!';
  if (order.state === 'REFUNDED') return 'You got your money back.';
  if (order.state === 'UNDERPAID') return 'Too little has arrived. We will write to you.';
  return 'It is not paid yet.';
}

export const problemPage = (sentence) => page('Oh', `<p>${sentence}`);
