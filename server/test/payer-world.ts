/**
 * Payers who ask for money back on the payment page, a mail server that takes what they are sent, and the words in which
 * their stories are told. 60.00 USD are 0.001 BTC.
 */
import assert from 'node:assert/strict';
import { aCharge, withoutLitecoin } from './gateway.ts';
import { type MailServer, mailUser, type ReceivedMail, startMailServer } from './mail-server.ts';
import { type RefundWorld, startRefundWorld } from './refund-world.ts';
import type { Committed, Shop } from './shop.ts';

/** `words`: what of it a person reads. */
type Page = { readonly status: number; readonly text: string; readonly words: string };

export type PayerWorld = RefundWorld & {
  readonly mail: MailServer;
  /** A hosted checkout that is to be paid on Bitcoin, with an address that was left on its page. */
  hosted(shop: Shop, email?: string | null, charge?: object, more?: object): Promise<Committed>;
  leave(id: string, email: string): Promise<number>;
  /** Too much, and settled. */
  overpaid(shop: Shop, email?: string | null, more?: object): Promise<Committed>;
  /** Too little, and the time is over. */
  underpaidOnPage(shop: Shop, email?: string | null): Promise<Committed>;
  page(id: string, search?: string): Promise<Page>;
  /** Presses "Send me the link", and lets the jobs run; gives where the browser is sent. */
  press(id: string, headers?: Record<string, string>): Promise<string>;
  /** Only the press. */
  pressAlone(id: string, headers?: Record<string, string>): Promise<Response>;
  /** The links that were mailed about a checkout, in their order. */
  links(id: string): { readonly to: readonly string[]; readonly url: string; readonly mail: ReceivedMail }[];
  open(url: string): Promise<Page>;
  enter(url: string, address: string): Promise<number>;
  stop(): Promise<void>;
};

export async function startPayerWorld(): Promise<PayerWorld> {
  const mail = await startMailServer();
  const credentials = `${encodeURIComponent(mailUser.user)}:${encodeURIComponent(mailUser.pass)}`;
  const world = await startRefundWorld({
    env: {
      ...withoutLitecoin,
      SMTP_URL: `smtp://${credentials}@127.0.0.1:${mail.port}`,
      MAIL_FROM: 'Payments <pay@shop.example>',
    },
  });
  const { gateway } = world;
  const { origin } = new URL(gateway.url);
  const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${origin}${path}`, { method: 'POST', redirect: 'manual', body: new URLSearchParams(form), headers });
  const follow = (url: string): URL => new URL(url.replace('https://pay.test', origin));

  async function shown(url: URL): Promise<Page> {
    const reply = await fetch(url, { headers: { 'accept-language': 'en' }, redirect: 'manual' });
    const text = await reply.text();
    return { status: reply.status, text, words: text.replace(/<[^>]*>/g, '') };
  }
  const leave = async (id: string, email: string): Promise<number> =>
    (await post(`/en/checkout/${id}/contact`, { email, network: 'BITCOIN' })).status;

  async function hosted(
    shop: Shop,
    email: string | null = 'ada@payer.example',
    charge: object = {},
    more: object = {},
  ) {
    const asked = aCharge('60.00 USD', { webhook: gateway.webhookUrl, checkoutLanguage: 'en', ...more });
    const body = { ...asked, charge: { ...(asked['charge'] as object), ...charge } };
    const { id } = await shop.post('/checkout/hosted', body);
    const committed = await shop.commit(id, 'BITCOIN');
    if (email !== null) assert.equal(await leave(id, email), 303);
    return committed;
  }
  async function paid(checkout: Committed, amount: string): Promise<Committed> {
    await world.pay(checkout, amount);
    await world.mine(1);
    return checkout;
  }
  const pressAlone = (id: string, headers: Record<string, string> = {}) =>
    post(`/en/checkout/${id}/ask-back`, {}, headers);

  return {
    ...world,
    mail,
    hosted,
    leave,
    overpaid: async (shop, email, more) => paid(await hosted(shop, email, {}, more), '0.0015'),
    async underpaidOnPage(shop, email) {
      const checkout = await paid(await hosted(shop, email), '0.0006');
      await world.pass({ minutes: 61 });
      return checkout;
    },
    page: (id, search = '') => shown(new URL(`${origin}/en/checkout/${id}${search}`)),
    pressAlone,
    async press(id, headers) {
      const { status, headers: answered } = await pressAlone(id, headers);
      await gateway.runUntilIdle();
      return status === 303 ? (answered.get('location') ?? '') : String(status);
    },
    links: (id) =>
      mail.received.flatMap((each) => {
        const url = new RegExp(`https://pay\\.test/\\w+/checkout/${id}/refund\\?token=[\\w-]+`).exec(each.text)?.[0];
        return url === undefined ? [] : [{ to: each.to, url, mail: each }];
      }),
    open: (url) => shown(follow(url)),
    async enter(url, address) {
      const { pathname, searchParams } = follow(url);
      return (await post(pathname, { token: searchParams.get('token') ?? '', address })).status;
    },
    async stop() {
      await gateway.stop();
      await mail.stop();
    },
  };
}
