/** A message to the shop, begun for the payer: with what whoever answers it would otherwise have to ask for. */

import { priceText } from '../web/number-text.ts';
import type { PageLook } from '../web/page-layout.ts';
import type { TextKey } from '../web/texts/page-texts.ts';
import { orderFacts, orderName } from './page-setting.ts';
import type { PublicCheckout } from './public-checkout.ts';
import type { PublicSum } from './public-sums.ts';
import { worthyText } from './receipt-rows.ts';
import { paidName } from './transaction-name.ts';

export type About = Extract<TextKey, 'helpMailSubject' | 'excessMailSubject' | 'partMailSubject'>;

type Asked = {
  readonly look: Pick<PageLook, 'say' | 'language'>;
  readonly checkout: Pick<PublicCheckout, 'id' | 'orderReference' | 'total' | 'currency' | 'sums' | 'payments'>;
};

export function shopMail({ look, checkout }: Asked, email: string, about: About): string {
  const { say, language } = look;
  const { total, currency, sums, payments } = checkout;
  const code = orderName(checkout);
  const written = (sum: PublicSum): string => worthyText({ language }, sum, currency);
  const facts: [string, string][] = [
    ...orderFacts(say, checkout),
    [say('total'), priceText(language, total, currency)],
    ...sums.received.map((sum): [string, string] => [say('youSent'), written(sum)]),
    ...sums.excess.map((sum): [string, string] => [say('tooMuch'), written(sum)]),
    ...payments
      .filter(({ txHash }) => txHash !== '')
      .map(({ network, networkName, txHash }): [string, string] => [
        `${paidName(look, network)} (${networkName})`,
        txHash,
      ]),
  ];
  // Mail programs want the ends of lines that messages have (RFC 6068, section 5).
  const body = facts.map(([name, value]) => `${say('labelled', { name })} ${value}\r\n`).join('');
  return `mailto:${email}?subject=${encodeURIComponent(say(about, { code }))}&body=${encodeURIComponent(`\r\n\r\n${body}`)}`;
}
