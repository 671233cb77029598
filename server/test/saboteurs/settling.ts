/** Second pairs of eyes, the customer's link, decisions and their log, the catalogue, and the bridge to Stellar. */
import type { Saboteur } from './saboteur.ts';

const claims = 'server/test/refund-claim.test.ts';
const audit = 'server/test/audit-log.test.ts';
const proof = 'server/test/bridge-proof.test.ts';
const guards = 'server/test/transfer-guards.test.ts';
const catalogue = 'server/src/catalog/network-catalog.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'settlements/claim-refund.ts',
    fault: 'a claim is sent once for every answer',
    find: 'if (!isClaimable(refund, now)) return refund;',
    replace: '',
    noticedBy: claims,
  },
  {
    file: 'settlements/approve-refund.ts',
    fault: 'the key that asked for a refund approves it',
    find: 'if ((await askerOfRefund(tx, id)) === apiKey) throw approvedByItself();',
    replace: `if ((await askerOfRefund(tx, id)) === '') throw approvedByItself();`,
    noticedBy: guards,
    test: 'refunds count too',
  },
  {
    file: 'settlements/approve-refund.ts',
    fault: 'a refund is approved twice and sent twice',
    find: `if (refund.state !== 'AWAITING_APPROVAL') throw notAwaitingApproval(refund.state);`,
    replace: `if (refund.state === 'FAILED') throw notAwaitingApproval(refund.state);`,
    noticedBy: guards,
    test: 'refunds count too',
  },
  {
    file: 'wallets/approve-transfer.ts',
    fault: 'the key that asked for a transfer approves it',
    find: 'if (transfer.apiKey === apiKey) throw approvedByItself();',
    replace: `if (transfer.apiKey === '') throw approvedByItself();`,
    noticedBy: guards,
    test: 'another key must approve',
  },
  {
    file: 'wallets/approve-transfer.ts',
    fault: 'who approved a transfer is in nobody’s log',
    find: `await insertAudit(tx, { merchantId, at: now, actor: apiKey, action: 'transfer.approved', detail: { id } });`,
    replace: 'void insertAudit;',
    noticedBy: guards,
    test: 'another key must approve',
  },
  {
    file: 'pages/find-page.ts',
    fault: 'a checkout that was not meant to be shown has a page',
    find: `if (checkout?.type !== 'HOSTED') return undefined;`,
    replace: `if (checkout === undefined) return undefined;`,
    noticedBy: 'server/test/hosted-page.test.ts',
  },
  {
    file: 'settlements/accept-underpayment.ts',
    fault: 'what was accepted is in nobody’s log',
    find: `await insertAudit(tx, { merchantId, at: now, actor: apiKey, action: 'underpayment.accepted', detail });`,
    replace: 'void [insertAudit, detail];',
    noticedBy: audit,
  },
  {
    file: 'settlements/accept-excess.ts',
    fault: 'the log names the account and not the key',
    find: `actor: apiKey, action: 'excess.accepted'`,
    replace: `actor: merchantId, action: 'excess.accepted'`,
    noticedBy: audit,
  },
  {
    file: 'settlements/accept-underpayment.ts',
    fault: 'an underpayment of which nothing is left is accepted',
    find: 'if (!dossier.payments.some(isAcceptable)) throw nothingToAccept();',
    replace: 'if (!dossier.payments.some(isAcceptable) && merchantId === checkoutId) throw nothingToAccept();',
    noticedBy: 'server/test/refund-underpaid.test.ts',
  },
  {
    file: 'catalog/network-catalog.ts',
    fault: 'a network that cannot send is said to',
    find: 'transfers: configured.get(id)?.canSend === true',
    replace: 'transfers: configured.has(id)',
    noticedBy: catalogue,
  },
  {
    file: 'catalog/network-catalog.ts',
    fault: 'an asset that must be asked for is listed for everybody',
    find: '.filter((asset) => isAvailable(asset, enabledHighRisk))',
    replace: '.filter((asset) => isAvailable(asset, enabledHighRisk) || asset.id)',
    noticedBy: catalogue,
  },
  {
    file: 'settlements/bridge.ts',
    fault: 'a second movement is asked for while the first is at work',
    find: 'if (movement || (failedAt && now < addMs(failedAt, retryMs)))',
    replace: 'if (failedAt && now < addMs(failedAt, retryMs))',
    noticedBy: proof,
  },
  {
    file: 'settlements/bridge-store.ts',
    fault: 'a movement that is done and not booked yet counts as over',
    find: `or (state = 'DONE' and not exists (select from ledger_entry where reference = recent.id))`,
    replace: `or (state = 'NEVER' and not exists (select from ledger_entry where reference = recent.id))`,
    noticedBy: 'server/test/bridge-kill.test.ts',
  },
  {
    file: 'settlements/verify-bridge.ts',
    fault: 'tokens beyond those that were issued pass',
    find: 'difference > most ? difference - most : 0n',
    replace: 'difference > most ? 0n : 0n',
    noticedBy: proof,
  },
  {
    file: 'settlements/verify-bridge.ts',
    fault: 'a bridge that does not keep up passes',
    find: 'now > addMs(levelAt, behindMaxMs)',
    replace: 'now < levelAt',
    noticedBy: proof,
  },
  {
    file: 'settlements/verify-bridge.ts',
    fault: 'coins that the nodes do not have pass',
    find: 'reconciled.filter((found) => !isSound(found))',
    replace: 'reconciled.filter((found) => !isSound(found) && found.difference > 0n)',
    noticedBy: proof,
  },
];
