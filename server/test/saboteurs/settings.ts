/** Settings that hold money back, and who is asked about them. */
import type { Saboteur } from './saboteur.ts';

const settings = 'server/test/account-settings.test.ts';
const notifications = 'server/test/account-notifications.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'people/request-policy.ts',
    fault: 'one person changes limits alone, though there is a second one',
    find: '!hasSecondApprover(members, personId, ...subjectOf(policy))',
    replace: '!hasSecondApprover([], personId, ...subjectOf(policy))',
    noticedBy: settings,
  },
  {
    file: 'people/second-approver.ts',
    fault: 'whoever puts out the only other one who approves changes limits the next moment',
    find: 'addMs(lostAt, rememberedMs) > now) throw',
    replace: 'lostAt > now) throw',
    noticedBy: settings,
    test: 'whoever puts out the only other one',
  },
  {
    file: 'people/request-policy.ts',
    fault: 'an accountant becomes an admin though nobody else has agreed',
    find: 'isNew(approves) || isNew(isHand)',
    replace: 'isNew(isHand)',
    noticedBy: settings,
    test: 'where a third one approves',
  },
  {
    file: 'wallets/let-transfer-go.ts',
    fault: 'what has waited for its destination leaves, however much has left that day',
    find: 'await demandDailyLimit(deps, tx, limits, transfer);',
    replace: 'void [demandDailyLimit, limits];',
    noticedBy: settings,
    test: 'what waits for its destination',
  },
  {
    file: 'people/decide-policy.ts',
    fault: 'two who approve at once both do',
    find: 'throw decidedBefore();\n',
    replace: 'return change;\n',
    noticedBy: settings,
  },
  {
    file: 'people/change-member.ts',
    fault: 'what somebody asked for goes on waiting after that person was put out',
    find: "await movePolicyChangesOf(tx, merchantId, personId, policyChangeStates.pairs('withdraw'), now);",
    replace: 'void movePolicyChangesOf; void policyChangeStates;',
    noticedBy: settings,
  },
  {
    file: 'merchants/change-settings.ts',
    fault: 'somebody locks themselves out',
    find: 'throw locksYouOut(address);',
    replace: 'void locksYouOut;',
    noticedBy: settings,
  },
  {
    file: 'account/frame/account-route.ts',
    fault: 'the list of addresses says nothing about people',
    find: 'return isInRanges(address, ranges);',
    replace: 'return isInRanges(address, ranges) || true;',
    noticedBy: settings,
  },
  {
    file: 'wallets/approve-transfer.ts',
    fault: 'an approval lifts the limit of a day',
    find: "await demandDailyLimit(deps, tx, present(await findMerchant(tx, merchantId), 'the merchant'), transfer);",
    replace: 'void [demandDailyLimit, present, findMerchant];',
    noticedBy: settings,
    test: 'no more leaves in a day',
  },
  {
    file: 'settlements/support-limit.ts',
    fault: 'support gives back as often as it likes',
    find: 'worthOf(deps, merchant.accountCurrency, [...before, { asset, units }])',
    replace: 'worthOf(deps, merchant.accountCurrency, [{ asset, units }].concat(before.slice(0, 0)))',
    noticedBy: settings,
  },
  {
    file: 'settlements/support-limit.ts',
    fault: 'support keeps as often as it likes',
    find: 'const parts = worth && [...before, { worth: formatDecimal(worth), currency }];',
    replace: 'const parts = worth && before && [{ worth: formatDecimal(worth), currency }];',
    noticedBy: settings,
    test: 'support decides and gives back',
  },
  {
    file: 'settlements/support-limit.ts',
    fault: 'what support may decide is read before the lock',
    find: `  await lockApprovals(tx, merchantId);
  return present(await findMerchant(tx, merchantId), 'the merchant');`,
    replace: `  const merchant = present(await findMerchant(tx, merchantId), 'the merchant');
  await lockApprovals(tx, merchantId);
  return merchant;`,
    noticedBy: settings,
    test: 'lowered meanwhile',
  },
  {
    file: 'account/frame/problem-text.ts',
    fault: 'who may not see balances reads one in a refusal',
    find: "tellsBalance.has(error.code) && !may('seeBalances')",
    replace: "tellsBalance.has(error.code) && !may('seeCheckouts')",
    noticedBy: 'server/test/account-checkouts.test.ts',
    test: 'does not learn them',
  },
  {
    file: 'refunds/estimate-refund.ts',
    fault: 'who may not see balances finds one by asking again and again',
    find: 'const available = isBalanceTold',
    replace: 'const available = isBalanceTold || first',
    noticedBy: 'server/test/account-checkouts.test.ts',
    test: 'does not learn them',
  },
  {
    file: 'checkouts/quote-methods.ts',
    fault: 'an account of low risk is credited in a bridged coin',
    find: 'if (!isCreditable(credited, request.riskTolerance)) {',
    replace: 'if (!isCreditable(credited, request.riskTolerance) && credited.isRetired) {',
    noticedBy: settings,
  },
  {
    file: 'finding/notify-people.ts',
    fault: 'everybody is told of everything',
    find: '!kinds.includes(need.kind) || need.requestedBy === personId',
    replace: '!kinds.includes(need.kind) && need.requestedBy === personId',
    noticedBy: notifications,
  },
  {
    file: 'finding/notification-store.ts',
    fault: 'what comes up again is not told again',
    find: 'and item <> all(${[...present]}::text[])',
    replace: 'and item = any(${[...present].slice(0, 0)}::text[])',
    noticedBy: notifications,
  },
  {
    file: 'account/home/set-up-page.ts',
    fault: 'who goes through the set-up chooses another asset without knowing',
    find: `[[asset, say('creditGone', { asset })] as const]`,
    replace: '[]',
    noticedBy: settings,
    test: 'the first step of the set-up',
  },
];
