import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMs, hours } from '../lib/clock.ts';
import { readPlace } from '../web/page-language.ts';
import { createLook } from '../web/page-layout.ts';
import { checkoutPage, methodsPage } from './checkout-page.ts';
import type { PublicCheckout } from './public-checkout.ts';
import { type SampleState, sampleCheckout } from './sample-checkouts.ts';
import type { Rendering } from './state-view.ts';

const look = createLook('en', { isSandbox: true, sendsReceipts: true, files: { stylesheet: '', script: '' } });
const now = new Date('2026-03-01T12:00:00Z');

function refreshOf(state: SampleState, { open, sandbox }: { open?: string; sandbox?: Rendering['sandbox'] } = {}) {
  const checkout = { ...sampleCheckout(state, now, 'en'), place: readPlace({ way: '0', ...(open && { open }) }) };
  const options = { now, rendering: { sandbox }, live: { version: '1', networks: [] } };
  const page = checkoutPage(look, checkout, options).toString();
  const [, seconds, url] = /http-equiv="refresh" content="(\d+);url=([^"]*)"/.exec(page) ?? [];
  if (url !== undefined)
    assert.equal(
      url,
      `/en/checkout/sample123456?way=0${open ? `&amp;open=${open}` : ''}`,
      'it leads to the same place',
    );
  return seconds;
}

test('without JavaScript a page looks again sooner while something is happening, and never takes away what is read or typed', () => {
  const sandbox = { canPay: true, canMine: false, hasFailed: false };
  const seconds: [SampleState, string | undefined][] = [
    ['created', undefined],
    ['pending', '30'],
    ['partial', '10'],
    ['processing', '10'],
    ['converting', '10'],
    ['underpaid', '30'],
    ['expired', '30'],
    ['completed', undefined],
    ['overpaid', undefined],
  ];
  for (const [state, expected] of seconds) {
    assert.equal(refreshOf(state), expected, state);
    assert.equal(refreshOf(state, { open: 'new-here' }), expected, state);
    assert.equal(refreshOf(state, { open: 'contact' }), undefined, state);
  }
  assert.equal(refreshOf('pending', { sandbox }), '10', 'after the button of the sandbox');
});

test('without JavaScript a drawer is a link where the page reloads, and stays open; a form is in its drawer', () => {
  const pageWith = (state: SampleState, open: string): string => {
    const checkout = { ...sampleCheckout(state, now, 'en'), place: readPlace({ open }) };
    return checkoutPage(look, checkout, { now }).toString();
  };
  const shut = pageWith('pending', 'nonsense');
  assert.match(shut, /<noscript><a class="drawer" href="\/en\/checkout\/sample123456\?open=rates">/);
  assert.match(shut, /<details id="rates" class="with-script">/);
  assert.doesNotMatch(shut, /<details[^>]* open/);
  const reading = pageWith('pending', 'rates');
  assert.match(reading, /<details id="rates" open><summary autofocus>/);
  assert.match(reading, /<a href="\/de\/checkout\/sample123456\?open=rates" lang="de"/);
  const typing = pageWith('pending', 'contact');
  assert.match(typing, /<details id="contact" open>[^]*<form class="stack" method="post" action="[^"]*\/contact">/);
  assert.match(typing, /<a href="\/en\/checkout\/sample123456">Check now</);
  assert.doesNotMatch(pageWith('completed', ''), /class="drawer"/, 'a page that stays as it is');
});

test('the chosen code is kept by whatever leads back to the page, and what nobody knows is ignored', () => {
  const sandbox = { canPay: true, canMine: false, hasFailed: false };
  const pageWith = (way: string, state: SampleState = 'pending', shownIn = look): string => {
    const checkout = { ...sampleCheckout(state, now, 'en'), place: readPlace({ way }) };
    return checkoutPage(shownIn, checkout, {
      now,
      rendering: { sandbox },
      live: { version: '1', networks: [] },
    }).toString();
  };
  const checked = (page: string) => /id="by-(\d)" value="\d" checked/.exec(page)?.[1];
  const addressOnly = pageWith('0');
  assert.equal(checked(addressOnly), '0');
  assert.match(addressOnly, /<a href="\/de\/checkout\/sample123456\?way=0" lang="de"/);
  assert.match(addressOnly, /action="\/en\/checkout\/sample123456\/contact\?way=0"/);
  assert.match(addressOnly, /action="\/en\/checkout\/sample123456\/sandbox\?way=0"/);
  assert.match(addressOnly, /data-page="\/en\/checkout\/sample123456\?way=0"/);
  const asked = pageWith('0', 'underpaid', { ...look, sendsReceipts: true });
  assert.match(asked, /<form method="post" action="\/en\/checkout\/sample123456\/ask-back\?way=0">/);
  const links = /<noscript><nav[^]*?<\/nav>/.exec(addressOnly)?.[0] ?? '';
  assert.match(links, /href="\/en\/checkout\/sample123456\?way=1">For a wallet</);
  assert.match(links, /href="\/en\/checkout\/sample123456\?way=0" aria-current="true">Address only</);

  assert.equal(checked(pageWith('2', 'replaced')), '2', 'the joint way');
  assert.equal(checked(pageWith('2')), '1', 'there is no joint way');
  for (const unknown of ['', '3', 'x"><b>']) {
    assert.equal(checked(pageWith(unknown)), '1', unknown);
    assert.match(pageWith(unknown), /<a href="\/de\/checkout\/sample123456" lang="de"/, unknown);
  }
});

/** What of the page a person reads. */
const wordsOf = (checkout: PublicCheckout, rendering: Rendering = {}): string =>
  checkoutPage(look, checkout, { now, rendering })
    .toString()
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ');

test('the same amount twice is called that, with both transactions; a larger amount is not', () => {
  const over = sampleCheckout('overpaid', now, 'en');
  const { due } = over.sums;
  assert.ok(due);
  const [one] = sampleCheckout('completed', now, 'en').payments;
  assert.ok(one);
  const payments = [one, { ...one, txHash: 'another-hash' }];
  const twice = wordsOf({ ...over, payments, sums: { ...over.sums, excess: [due] } });
  assert.match(twice, new RegExp(`Your payment arrived twice.*${one.txHash}.*another-hash.*We can send a link`));
  assert.doesNotMatch(twice, /You sent \S+ too much/);
  assert.match(wordsOf(over), /You sent €4\.50 too much/);
  assert.doesNotMatch(wordsOf({ ...over, payments }), /arrived twice/, 'what is too much is not one of them');
});

test('once the excess was sent back, nobody is told how to get it', () => {
  const over = sampleCheckout('overpaid', now, 'en');
  const [excess] = over.sums.excess;
  assert.ok(excess && over.wayBack);
  const offer = { goodUntil: null, canSendAgain: false, state: 'returned' } as const;
  const back = {
    ...over,
    sums: { ...over.sums, returned: [{ ...excess, amount: '0.00008', price: '4.00' }] },
    refunds: sampleCheckout('refunded', now, 'en').refunds,
    wayBack: { ...over.wayBack, kept: 'nothing', offers: [offer] },
  } satisfies PublicCheckout;
  assert.match(
    wordsOf(back),
    /€4\.00 was sent back.*Too much.*Sent to this address.*Transaction \(Bitcoin\).*The network took 0\.00001.BTC/,
  );
  assert.doesNotMatch(wordsOf(back), /You sent \S+ too much|how to get it back|Your refund was sent/);
  const half = { ...back, sums: { ...back.sums, excess: [excess, excess] } };
  assert.doesNotMatch(wordsOf(half), /was sent back/, 'while a part of it is still here');
});

test('who has paid a part learns before the deadline what follows if nothing more comes, and can go back', () => {
  const part = sampleCheckout('partial', now, 'en');
  assert.match(
    wordsOf(part),
    /Pay by 12:59 UTC\. If the rest has not arrived by then, nothing is lost: the shop then decides/,
  );
  assert.match(wordsOf(part), /Back to the shop/);
  assert.doesNotMatch(wordsOf({ ...part, canReturn: false }), /Back to the shop/);
  assert.doesNotMatch(wordsOf(sampleCheckout('pending', now, 'en')), /If the rest|the shop then decides/);
});

test('whoever asks for help goes back to the shop as somebody who has paid only after paying', () => {
  const waysOf = (state: SampleState): string[] => {
    const checkout = { ...sampleCheckout(state, now, 'en'), helpEmail: null };
    const [, help = ''] = checkoutPage(look, checkout, { now }).toString().split('id="need-help"');
    return Array.from(help.matchAll(/(return-from|cancel)-hosted-checkout/g), ([, way = '']) => way).slice(0, 1);
  };
  for (const state of ['created', 'pending', 'memo', 'replaced', 'expired', 'canceled'] as const)
    assert.deepEqual(waysOf(state), ['cancel'], state);
  for (const state of ['partial', 'processing', 'completed', 'underpaid', 'refunded'] as const)
    assert.deepEqual(waysOf(state), ['return-from'], state);
});

test('a cancelled order for which nothing was chosen has no old price, and nothing on its way', () => {
  const canceled = sampleCheckout('canceled', now, 'en');
  assert.match(wordsOf(canceled), /Pay after all/);
  assert.doesNotMatch(wordsOf(canceled), /Get a new price|Already sent it|I have sent it/);
  const { pay, commitmentId } = sampleCheckout('pending', now, 'en');
  assert.match(wordsOf({ ...canceled, pay, commitmentId }), /Get a new price.*Already sent it.*I have sent it/);
  const withoutRate = wordsOf({ ...canceled, commitmentId });
  assert.match(withoutRate, /Pay after all.*Already sent it.*I have sent it/, 'somebody may have sent something');
});

test('what an order cannot be paid with is no part of it', () => {
  const [one] = sampleCheckout('partial', now, 'en').payments;
  assert.ok(one);
  for (const state of ['pending', 'expired'] as const) {
    const checkout = sampleCheckout(state, now, 'en');
    const wrong = wordsOf({ ...checkout, payments: [{ ...one, assetCode: 'DOGE' }], exceptions: ['WRONG_ASSET'] });
    assert.match(wrong, /Something has arrived that this order cannot be paid with/);
    assert.doesNotMatch(wrong, /Part of your payment|Less than the full|Still missing|Send the rest|Received/, state);
  }
});

test('for the rest an invoice is made anew, and no new price is spoken of', () => {
  const partial = sampleCheckout('partial', now, 'en');
  assert.ok(partial.pay);
  const words = wordsOf({ ...partial, pay: { ...partial.pay, isOutdated: true } });
  assert.match(words, /What you have sent is safe\..*Pay with Bitcoin \(Bitcoin\).*counts even if you pay the rest/);
  assert.doesNotMatch(words, /new price/);
  const later = wordsOf({ ...partial, pay: { ...partial.pay, isOutdated: true }, arePricesHeld: false });
  assert.match(later, /What you have sent is safe\..*Get a new price.*counts even if you pay the rest/);
});

test('where nothing takes the rest any more, nobody is told to send it', () => {
  const underpaid = sampleCheckout('underpaid', now, 'en');
  for (const exceptions of [[], ['LATE']] as const) {
    const open = wordsOf({ ...underpaid, exceptions });
    assert.match(open, /You can still send the rest\..*Send the rest now, or leave it/);
    const shut = wordsOf({ ...underpaid, exceptions, pay: null });
    assert.match(shut, /Less than the full amount.*The shop decides whether to accept what you have sent/);
    assert.doesNotMatch(shut, /end the rest|[Pp]ay the rest/);
  }
});

test('where nobody can say what is to be paid after the time, nothing is called seen that was not', () => {
  const pending = { ...sampleCheckout('pending', now, 'en'), pay: null };
  assert.match(wordsOf(pending), /This price is no longer valid.*Pay after all.*Already sent it/);
  assert.doesNotMatch(wordsOf(pending), /was seen|Payment seen|Waiting for/);
  const partial = { ...sampleCheckout('partial', now, 'en'), pay: null };
  assert.match(wordsOf(partial), /Less than the full amount has arrived.*Pay the rest another way/);
  assert.doesNotMatch(wordsOf(partial), /was seen|Payment seen|Waiting for|no longer valid/);
});

test('the old price is what was asked for then, not what would be asked for now', () => {
  const expired = sampleCheckout('expired', now, 'en');
  assert.ok(expired.pay);
  const words = wordsOf({ ...expired, pay: { ...expired.pay, amount: '0.00077' } });
  assert.match(words, /The old price\s?0\.00051\sBTC/);
  assert.doesNotMatch(words, /0\.00077/);
});

test('what has expired did so in the past', () => {
  assert.match(wordsOf(sampleCheckout('expired', now, 'en')), /Expired at 11:57 UTC/);
});

test('a time that is hours away names its day, and its zone until a script makes it the payer’s own', () => {
  const [days, soon] = [addMs(now, hours(-50)), addMs(now, hours(5))];
  const until = (state: SampleState, payUntil: Date): string => {
    const checkout = sampleCheckout(state, now, 'en');
    assert.ok(checkout.pay);
    return wordsOf({ ...checkout, pay: { ...checkout.pay, payUntil } });
  };
  assert.match(until('expired', days), /Expired on February 27, 2026 at 10:00 UTC/);
  assert.match(until('pending', soon), /Pay by 17:00 UTC\./);
  assert.match(until('pending', addMs(now, hours(7))), /Pay by March 1, 2026 at 19:00 UTC\./);
  assert.match(until('partial', addMs(now, hours(7))), /Pay by March 1, 2026 at 19:00 UTC\. If the rest/);
});

test('money that came after a refund is offered as money, and not as a difference to what was sent back', () => {
  const { wayBack, sums } = sampleCheckout('overpaid', now, 'en');
  const refunded = { ...sampleCheckout('refunded', now, 'en'), wayBack, sums };
  for (const checkout of [
    refunded,
    { ...refunded, helpEmail: null, wayBack: wayBack && { ...wayBack, maskedEmail: null } },
  ]) {
    assert.match(wordsOf(checkout), /You sent €4\.50 too much/);
    assert.doesNotMatch(wordsOf(checkout), /difference/);
  }
});

test('a unit that few people know is explained where a coin is chosen, beside the coin that is counted in it', () => {
  const page = checkoutPage(look, sampleCheckout('created', now, 'en'), { now }).toString();
  const rows = page.split('class="coin-row"').slice(1);
  assert.deepEqual(
    rows.map((row) => [/51,000\u00a0SAT/.test(row), row.includes('SAT means satoshi')]),
    [
      [true, true],
      [false, false],
    ],
  );
});

test('the choice of another way says when it is for the rest only', () => {
  const choice = (state: SampleState): string =>
    methodsPage(look, sampleCheckout(state, now, 'en'), { now, isUnavailable: false }).toString();
  assert.match(choice('partial'), /<h2 id="how">How would you like to pay the rest\?</);
  assert.match(choice('pending'), /<h2 id="how">How would you like to pay\?</);
});

test('who has paid has a receipt sent; who has not saves where it shall go', () => {
  const unknown = { maskedEmail: null, refundEnding: null, canChange: false };
  const paid = wordsOf({ ...sampleCheckout('completed', now, 'en'), contact: unknown });
  assert.match(paid, /E-mail for the receipt Send receipt/);
  assert.match(wordsOf(sampleCheckout('pending', now, 'en')), /E-mail for the receipt .* Save /);
});

test('who waits for a link is told where else to look and whom to ask', () => {
  const over = sampleCheckout('overpaid', now, 'en');
  assert.ok(over.wayBack);
  const mailed = (canSendAgain: boolean): string => {
    const offers = [{ state: 'mailed', goodUntil: now, canSendAgain }] as const;
    return wordsOf({ ...over, wayBack: { maskedEmail: 'a…@example.com', kept: 'nothing', offers } });
  };
  assert.match(mailed(true), /A link is on its way to a…@example\.com.*spam folder.*Send it again.*Ask the shop/);
  assert.match(mailed(false), /spam folder.*Ask the shop/);
  assert.doesNotMatch(mailed(false), /Send it again/);
});

test('what was saved is confirmed in green, and a refused field is marked while the button of the sandbox stays', () => {
  const pending = sampleCheckout('pending', now, 'en');
  const saved = { maskedEmail: 'a…@example.com', refundEnding: 'xad6u', canChange: true };
  const page = checkoutPage(look, { ...pending, contact: saved }, { now }).toString();
  const confirmations = [...page.matchAll(/<p class="notice paid">[^]*?<\/p>/g)].map(([text]) =>
    text.replace(/<[^>]*>/g, ''),
  );
  assert.deepEqual(confirmations, [
    'The receipt goes to a…@example.com.',
    'Your refund address …xad6u is saved, and the shop sees it.',
  ]);

  const isFolded = (contact: PublicCheckout['contact'], place = pending.place): string[] =>
    [
      ...checkoutPage(look, { ...pending, contact, place }, { now })
        .toString()
        .matchAll(/<details class="change[^>]*?( open)?><summary>([^<]*)<\/summary><form class="stack"/g),
    ].map(([, open = '', words = '']) => `${words}${open}`);
  assert.deepEqual(isFolded(saved), ['Change'], 'no empty field below what is kept');
  assert.deepEqual(isFolded({ ...saved, maskedEmail: null }), ['Change or add']);
  assert.deepEqual(isFolded(saved, { ...pending.place, open: 'contact' }), ['Change open']);
  assert.deepEqual(isFolded(pending.contact), [], 'nothing is kept, and nothing folded');

  const contactProblem = { mistake: 'emailWrong', email: 'ada', address: '' } as const;
  const sandbox = { canPay: true, canMine: false, hasFailed: false };
  const refused = checkoutPage(look, pending, { now, rendering: { contactProblem, sandbox } }).toString();
  assert.match(refused, /Pay now with test money[^]*value="ada" aria-invalid="true"/);
});

test('who has lost a transaction is told first whether to pay again or to wait, and what follows if both arrive', () => {
  const pending = sampleCheckout('pending', now, 'en');
  const both = 'Should both arrive[^.]*, this page says how to get one back\\.';
  assert.match(wordsOf({ ...pending, lost: ['replacedByOther'] }), new RegExp(`pay again.*Pay again if.*${both}`));
  assert.match(
    wordsOf({ ...pending, lost: ['dropped'] }),
    new RegExp(`Transaction dropped.*Wait if.*pay again.*${both}`),
  );
  assert.match(wordsOf({ ...pending, lost: ['replacedByOurs'] }), /You need not do anything/);
  const seen = { ...sampleCheckout('processing', now, 'en'), exceptions: ['REORGED'] } satisfies PublicCheckout;
  assert.match(wordsOf(seen), /Wait and do not pay again.*If you have already paid twice, this page will say how/);
  const wrong = { ...pending, orderReference: 'N-4711', exceptions: ['WRONG_ASSET'] } satisfies PublicCheckout;
  assert.match(wordsOf(wrong), /Ask the shop and give the order code N-4711\b/);
});

test('what was paid in two ways is a row for each on the slip, with its worth where that is known, and the total below', () => {
  const paid = sampleCheckout('completed', now, 'en');
  const [one] = paid.payments;
  assert.ok(one);
  const slipOf = (payments: PublicCheckout['payments']): string =>
    /ReceiptOrder.*?Total€[\d.]+/.exec(wordsOf({ ...paid, payments }))?.[0] ?? '';
  const other = { ...one, amount: '18.25', assetCode: 'USDC', networkName: 'Stellar', price: '15.50' };
  const two = [{ ...one, amount: '0.0002', price: '10.00' }, other];
  assert.match(slipOf(two), /Bitcoin0\.0002.BTC€10\.00\s?Stellar18\.25.USDC€15\.50 Paid on.*Total€25\.50/);
  assert.match(slipOf([one, { ...other, price: null }]), /Stellar18\.25.USDC Paid on/);
  assert.match(slipOf([one]), /Paid with0\.00051.BTCBitcoin Paid on/);
});

test('where the shop gave no e-mail address, who must ask it is led to its site with the code to give', () => {
  const over = sampleCheckout('overpaid', now, 'en');
  assert.ok(over.wayBack);
  const unreachable = { helpEmail: null, sellerEmail: null, orderReference: 'N-4711' };
  const silent = { ...over, ...unreachable };
  const offers = [{ state: 'mailed', goodUntil: now, canSendAgain: false }] as const;
  const pages: PublicCheckout[] = [
    { ...silent, wayBack: { maskedEmail: null, kept: 'something', offers: [] } },
    { ...silent, wayBack: { maskedEmail: 'a…@example.com', kept: 'nothing', offers } },
    { ...sampleCheckout('underpaid', now, 'en'), ...unreachable, wayBack: null },
  ];
  for (const checkout of pages) {
    const page = checkoutPage(look, checkout, { now }).toString();
    const said = page.slice(page.indexOf('gives no e-mail address here'));
    assert.match(said, /^[^]*?N-4711[^]*?href="\/en\/return-from[^]*?href="https:\/\/shop\.example\/legal"/);
    assert.doesNotMatch(page, /mailto:|Ask the shop</);
  }
  const far = { ...silent, canReturn: false, legalLinks: { legalNotice: null, privacy: null, terms: null } };
  assert.match(checkoutPage(look, far, { now }).toString(), /order code [^.]*N-4711[^]*?href="\/en\/cancel-hosted/);
});

test('an order has one name, the shop’s own where there is one; our code stands where help is, with a name of its own', () => {
  for (const state of ['pending', 'completed', 'overpaid'] as const) {
    const named = wordsOf({ ...sampleCheckout(state, now, 'en'), orderReference: 'N-4711' });
    assert.match(named, /Order N-4711(?! ·)/);
    assert.equal(named.split('sample123456').length, 2, `${state}: our code once`);
    assert.match(named, /Need help\?.*order code N-4711 .*Payment ID: sample123456/);
    assert.doesNotMatch(wordsOf(sampleCheckout(state, now, 'en')), /Payment ID/);
  }
});

const completed = sampleCheckout('completed', now, 'en');
/** The shop took €10.00 for an order of €25.50. */
const accepted: PublicCheckout = {
  ...completed,
  state: 'RESOLVED',
  exceptions: ['PARTIAL'],
  payments: completed.payments.map((payment) => ({ ...payment, amount: '0.0002', price: '10.00' })),
  sums: { ...sampleCheckout('underpaid', now, 'en').sums, acceptedPrice: '10.00' },
};

test('where the shop accepted less, what was paid is what was paid, and that it was accepted is said', () => {
  const sentence = 'The shop has accepted €10\\.00 for this order of €25\\.50\\.';
  const words = wordsOf(accepted);
  assert.match(words, new RegExp(`Paid\\. Thank you! ?€10\\.00 ?paid to Sample shop ?${sentence}`));
  assert.match(words, /Bitcoin0\.0002.BTC€10\.00 Paid on.*rate.*Order€25\.50 Paid€10\.00/);
  assert.doesNotMatch(words, /Paid with/);
  const { excess } = sampleCheckout('overpaid', now, 'en').sums;
  const more = { ...accepted, sums: { ...accepted.sums, excess } };
  const tooMuch = wordsOf({ ...more, exceptions: ['PARTIAL', 'DUPLICATE'] });
  assert.match(tooMuch, new RegExp(`Paid: ?€10\\.00.*You sent €4\\.50 too much.*${sentence}.*Receipt.*${sentence}`));
  assert.doesNotMatch(tooMuch, /paid in full/);
});
