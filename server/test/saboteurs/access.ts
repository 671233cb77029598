/** Who may call, from where, how often, and how often with one signature. */
import type { Saboteur } from './saboteur.ts';

const digest = 'server/test/auth-digest.test.ts';
const access = 'server/test/auth-access.test.ts';
const memory = 'server/src/auth/remembered-credentials.test.ts';
const limits = 'server/test/http-limits.test.ts';
const repeated = 'server/test/repeated-signature.test.ts';
const addresses = 'server/src/http/client-address.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'auth/verify-digest.ts',
    fault: 'a timestamp of exactly thirty seconds is good',
    find: 'Math.abs(age) < ageSecondsMax',
    replace: 'Math.abs(age) <= ageSecondsMax',
    noticedBy: digest,
  },
  {
    file: 'auth/verify-digest.ts',
    fault: 'a timestamp from the future is good for ever',
    find: 'Math.abs(age) < ageSecondsMax',
    replace: 'age < ageSecondsMax',
    noticedBy: digest,
  },
  {
    file: 'auth/verify-digest.ts',
    fault: 'the signature does not cover the body',
    find: 'if (body.length > 0) hmac.update(body);',
    replace: 'if (body.length < 0) hmac.update(body);',
    noticedBy: digest,
  },
  {
    file: 'auth/verify-digest.ts',
    fault: 'the signature does not cover the method',
    find: '`${path}${timestamp}${request.method.toUpperCase()}`',
    replace: '`${path}${timestamp}GET`',
    noticedBy: digest,
  },
  {
    file: 'auth/verify-digest.ts',
    fault: 'a body of two bytes may be signed as none',
    find: `text === '[]' || text === '{}' ? [rawBody, nothing]`,
    replace: `text !== '' ? [rawBody, nothing]`,
    noticedBy: digest,
  },
  {
    file: 'auth/authenticate.ts',
    fault: 'an address that was taken off the list moves money for a second',
    find: 'request.isMoneyMoving || request.needsAllowedAddress);',
    replace: 'request.isMoneyMoving && request.address === key);',
    noticedBy: memory,
  },
  {
    file: 'auth/authenticate.ts',
    fault: 'only the newest secret of a key is tried',
    find: 'const secret = credentials.secrets.find(',
    replace: 'const secret = credentials.secrets.slice(0, 1).find(',
    noticedBy: 'server/test/key-rotation.test.ts',
  },
  {
    file: 'auth/authenticate.ts',
    fault: 'payouts are open to every address',
    find: 'if (merchant.isAddressListEnforced || request.needsAllowedAddress)',
    replace: 'if (merchant.isAddressListEnforced)',
    noticedBy: access,
  },
  {
    file: 'auth/authenticate.ts',
    fault: 'an enforced address list is not enforced',
    find: 'if (merchant.isAddressListEnforced || request.needsAllowedAddress)',
    replace: 'if (request.needsAllowedAddress)',
    noticedBy: access,
  },
  {
    file: 'auth/verify-basic.ts',
    fault: 'basic authentication moves money',
    find: 'if (isMoneyMoving) return',
    replace: 'if (isMoneyMoving && !isBasicAllowed) return',
    noticedBy: access,
  },
  {
    file: 'auth/verify-basic.ts',
    fault: 'basic authentication works although it is switched off',
    find: 'if (!isBasicAllowed) return',
    replace: 'if (!isBasicAllowed && isMoneyMoving) return',
    noticedBy: access,
  },
  {
    file: 'auth/remembered-credentials.ts',
    fault: 'a setting is remembered for an hour',
    find: 'const rememberedMs = 1_000;',
    replace: 'const rememberedMs = 3_600_000;',
    noticedBy: memory,
  },
  {
    file: 'http/used-signature.ts',
    fault: 'a signature in capital letters is another one',
    find: '.update(signature.toLowerCase())',
    replace: '.update(signature)',
    noticedBy: repeated,
  },
  {
    file: 'http/used-signature.ts',
    fault: 'a signature moves money as often as it is sent',
    find: 'if (used.length === 0) throw signatureRepeated();',
    replace: 'if (used.length > 1) throw signatureRepeated();',
    noticedBy: repeated,
  },
  {
    file: 'http/used-signature.ts',
    fault: 'a signature is forgotten while its timestamp is good',
    find: 'where used_at <= ${addMs(now, -keptMs)}',
    replace: 'where used_at <= ${addMs(now, -keptMs + keptMs)}',
    noticedBy: repeated,
  },
  {
    file: 'http/answer-request.ts',
    fault: 'a request that failed authentication costs nothing',
    find: `const decision = await takeForAddress(deps.limits, 'failure', deps.limits.failuresPerAddress, request);
      if (!decision.isAllowed)`,
    replace: `const decision = await takeForAddress(deps.limits, 'failure', deps.limits.failuresPerAddress, request);
      if (!decision.isAllowed && deps.log === undefined)`,
    noticedBy: limits,
  },
  {
    file: 'http/answer-request.ts',
    fault: 'all keys share one limit',
    find: '`key ${apiKeyOf(caller.actor)}`',
    replace: '`key ${apiKeyOf.length}`',
    noticedBy: limits,
  },
  {
    file: 'http/rate-limit.ts',
    fault: 'a bucket in memory fills above its capacity',
    find: 'Math.min(rate.capacity, known.tokens + ((now - known.at) / 1000) * rate.perSecond)',
    replace: 'known.tokens + ((now - known.at) / 1000) * rate.perSecond',
    noticedBy: 'server/src/http/rate-limit.test.ts',
  },
  {
    file: 'http/rate-limit.ts',
    fault: 'a large network of IPv6 has as much as all its parts',
    find: 'return ofAll.isAllowed ? decision : ofAll;',
    replace: 'return ofAll.isAllowed ? decision : decision;',
    noticedBy: 'server/test/page-limits.test.ts',
  },
  {
    file: 'http/rate-bucket-store.ts',
    fault: 'a bucket gives more than it holds',
    find: `           granted = least(excluded.granted, floor(`,
    replace: `           granted = greatest(excluded.granted, floor(`,
    noticedBy: limits,
  },
  {
    file: 'http/shared-rate-limit.ts',
    fault: 'while the database is away there are no limits',
    find: 'if (now < awayUntil) return own.take(bucket, rate);',
    replace: 'if (now < awayUntil) return decisionOf(rate, rate.capacity, true);',
    noticedBy: limits,
  },
  {
    file: 'http/client-address.ts',
    fault: 'X-Forwarded-For is believed from everybody',
    find: 'while (toldHops.length > 0 && isInRanges(address, trustedProxies))',
    replace: 'while (toldHops.length > 0)',
    noticedBy: addresses,
  },
  {
    file: 'http/client-address.ts',
    fault: 'an empty list of ranges holds every address',
    find: 'if (ranges.length === 0 || !ipaddr.isValid(address)) return false;',
    replace: 'if (ranges.length === 0) return true;\n  if (!ipaddr.isValid(address)) return false;',
    noticedBy: addresses,
  },
  {
    file: 'http/client-address.ts',
    fault: 'every address of IPv6 is a customer of its own',
    find: 'ipv6Network(address, 64) ?? address',
    replace: 'address',
    noticedBy: addresses,
  },
];
