import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderName, orderReference, pageSetting, shopUrl } from './page-setting.ts';

test('the checkout id joins the query, and the rest of the URL stays as it was', () => {
  const expected: [string, string][] = [
    ['https://shop.example', 'https://shop.example/?checkoutId=abc'],
    ['https://shop.example/ok', 'https://shop.example/ok?checkoutId=abc'],
    ['https://shop.example/ok?', 'https://shop.example/ok?checkoutId=abc'],
    ['https://shop.example/?a=1&b=x%20y+z#part', 'https://shop.example/?a=1&b=x%20y+z&checkoutId=abc#part'],
    ['http://shop.example/#?fake=1', 'http://shop.example/?checkoutId=abc#?fake=1'],
    ['https://münchen.example/grüße', 'https://xn--mnchen-3ya.example/gr%C3%BC%C3%9Fe?checkoutId=abc'],
  ];
  for (const [url, redirected] of expected) assert.equal(shopUrl(url, 'abc'), redirected);
});

test('nobody is sent to anything but a web address', () => {
  for (const url of ['javascript:alert(1)', 'data:text/html,x', '/relative', '', 'shop.example', null])
    assert.equal(shopUrl(url, 'abc'), null);
});

test('the settings of a checkout come before those of the account, under both of their names', () => {
  const merchant = { pageSettings: { returnUrl: 'account', shopName: 'Account shop' } };
  const read = (payload: Record<string, unknown>) => pageSetting({ payload }, merchant, 'returnUrl');
  assert.equal(read({ pageSettings: { returnUrl: 'new' }, links: { returnUrl: 'old' } }), 'new');
  assert.equal(read({ pageSettings: { returnUrl: null }, links: { returnUrl: 'old' } }), 'old');
  assert.equal(read({ pageSettings: [] as never, links: null }), 'account');
  assert.equal(pageSetting({ payload: {} }, merchant, 'cancelUrl'), null);
});

test("a shop's own order number is what it gave for the page, and stands before the code", () => {
  const read = (payload: Record<string, unknown>) => orderReference({ payload });
  assert.equal(read({ pageSettings: { orderReference: '#10045' } }), '#10045');
  assert.equal(read({ pageSettings: { orderReference: 10_045 } }), '10045');
  assert.equal(read({ pageSettings: { orderReference: ' 10\n045\u202e ' } }), '10 045', 'one line, and nothing unseen');
  for (const nothing of [
    {},
    { pageSettings: null },
    { pageSettings: { orderReference: ' ' } },
    { links: { orderReference: 1 } },
  ])
    assert.equal(read(nothing), null);
  assert.equal(read({ meta: { orderReference: '1', orderId: '2' } }), null, 'that is between the shop and us');
  assert.equal(orderName({ orderReference: '10045', id: 'abcdefghijkl' }), '10045');
  assert.equal(orderName({ orderReference: null, id: 'abcdefghijkl' }), 'abcdefghijkl');
});
