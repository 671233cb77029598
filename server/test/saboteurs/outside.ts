/** What others choose for us to fetch, and what nobody else may read. */
import type { Saboteur } from './saboteur.ts';

const fetching = 'server/src/lib/guarded-fetch.test.ts';
const sealing = 'server/src/lib/encryption.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'lib/guarded-fetch.ts',
    fault: 'only the first address of a name is looked at',
    find: 'for (const address of addresses) {\n        const kind',
    replace: 'for (const address of addresses.slice(0, 1)) {\n        const kind',
    noticedBy: fetching,
  },
  {
    file: 'lib/guarded-fetch.ts',
    fault: 'a name is resolved a second time after it was checked',
    find: '      lookup: alwaysAnswering(addresses),\n',
    replace: '      ...(addresses.length === 0 && { lookup: alwaysAnswering(addresses) }),\n',
    noticedBy: fetching,
  },
  {
    file: 'lib/guarded-fetch.ts',
    fault: 'loopback is open to merchants',
    find: `kind === 'loopback' && allowLoopback`,
    replace: `kind === 'loopback' && allowLoopback !== undefined`,
    noticedBy: fetching,
  },
  {
    file: 'lib/guarded-fetch.ts',
    fault: 'a URL may carry a user name and a password',
    find: `if (url.username !== '' || url.password !== '')`,
    replace: `if (url.username !== '' && url.protocol === '')`,
    noticedBy: fetching,
  },
  {
    file: 'lib/guarded-fetch.ts',
    fault: 'plain http is fetched where https is required',
    find: `(url.protocol === 'http:' && !options.requireHttps)`,
    replace: `url.protocol === 'http:'`,
    noticedBy: fetching,
  },
  {
    file: 'lib/guarded-fetch.ts',
    fault: 'a connection is kept for the next receiver',
    find: 'agent: false, // A connection for this request only.',
    replace: '',
    noticedBy: fetching,
  },
  {
    file: 'lib/guarded-fetch.ts',
    fault: 'an answer without an end is read for ever',
    find: 'if (length > bytesMax) finish(false);',
    replace: 'if (length < 0) finish(false);',
    noticedBy: fetching,
  },
  {
    file: 'lib/guarded-fetch.ts',
    fault: 'a process that was frozen while it connected sends what is out of date',
    find: 'if (performance.now() < limits.endsAt) outgoing.end(body);\n        else',
    replace: 'if (performance.now() > 0) outgoing.end(body);\n        else',
    noticedBy: fetching,
  },
  {
    file: 'lib/guarded-fetch.ts',
    fault: 'an answer that was cut off passes for a whole text',
    find: 'if (!isComplete) throw',
    replace: `if (!isComplete && hostname === '') throw`,
    noticedBy: fetching,
  },
  {
    file: 'lib/public-address.ts',
    fault: 'an inner address of IPv4 in the clothes of IPv6 is public',
    find: `if (range !== 'ipv4Mapped' && range !== 'rfc6052') return address;`,
    replace: `if (range !== 'ipv4Mapped') return address.range() === 'rfc6052' ? ipaddr.parse('2606:4700::1') : address;`,
    noticedBy: fetching,
  },
  {
    file: 'lib/public-address.ts',
    fault: 'the host service of a cloud is public',
    find: `return isDisguised ? 'other' : 'public';`,
    replace: `return isDisguised ? 'public' : 'public';`,
    noticedBy: fetching,
  },
  {
    file: 'lib/public-address.ts',
    fault: 'what nobody was allotted in IPv6 is public',
    find: `if (address instanceof ipaddr.IPv6 && !address.match(allottedGlobally)) return 'other';`,
    replace: `if (address instanceof ipaddr.IPv6 && !address.match(allottedGlobally)) return 'public';`,
    noticedBy: fetching,
  },
  {
    file: 'lib/encryption.ts',
    fault: 'the secret of one key opens in the row of another',
    find: '`api-secret:${apiKey}`',
    replace: '`api-secret:${apiKey.length}`',
    noticedBy: sealing,
  },
  {
    file: 'lib/encryption.ts',
    fault: 'the webhook secret of one merchant opens in the row of another',
    find: '`webhook-secret:${merchantId}`',
    replace: '`webhook-secret:${merchantId.length}`',
    noticedBy: sealing,
  },
  {
    file: 'lib/encryption.ts',
    fault: 'the same secret looks the same everywhere',
    find: 'const nonce = randomBytes(nonceLength);',
    replace: 'const nonce = Buffer.alloc(nonceLength, randomBytes(1).length);',
    noticedBy: sealing,
  },
];
