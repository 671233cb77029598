/** Money that arrived and named no checkout, on networks where many share one address. */
import { findNetwork } from '@quittance/server/catalog/network-catalog';
import { systemClock as clock } from '@quittance/server/lib/clock';
import { notFound } from '@quittance/server/lib/errors';
import { newId } from '@quittance/server/lib/ids';
import { parseDecimal, toUnits } from '@quittance/server/money/decimal';
import { whyReturnDeclined } from '@quittance/server/operator/request-return';
import { inOperatorsLog } from '@quittance/server/people/in-operators-log';
import { adoptCrumbs } from '@quittance/server/watching/adopt-crumbs';
import { adoptUnmatched } from '@quittance/server/watching/adopt-unmatched';
import { assignUnmatched } from '@quittance/server/watching/assign-unmatched';
import { findLikelyCheckouts } from '@quittance/server/watching/find-likely-checkouts';
import { type CrumbSum, listCrumbs, unmatchedCrumbs } from '@quittance/server/watching/unmatched-crumb-store';
import { findReturn } from '@quittance/server/watching/unmatched-return-store';
import { findUnmatched, listUnmatched, type UnmatchedPayment } from '@quittance/server/watching/unmatched-store';
import { askForOrder } from '../ask-for-order.ts';
import { bookingText } from '../booking-text.ts';
import { type Command, CommandError, command, UsageError } from '../command-line.ts';
import { amountText, assetCode, ledgerScale, textTable } from '../text-table.ts';

const unmatchedData = (payment: UnmatchedPayment) => {
  const { id, network, txHash, trace, asset, units, sender, memo, seenAt, returnId, returnFailure } = payment;
  const returning = returnId === null ? (returnFailure ?? '') : 'on its way back';
  /** At a bank: by what it is found there. */
  const booking = findNetwork(network)?.knownAs?.booking(trace) ?? null;
  return { id, network, txHash, booking, asset, amount: amountText(units, asset), sender, memo, seenAt, returning };
};

const unmatchedTable = (data: readonly ReturnType<typeof unmatchedData>[]): string =>
  textTable(
    ['PAYMENT', 'NETWORK', 'AMOUNT', 'MEMO', 'FROM', 'SEEN', 'TRANSACTION', 'RETURN'],
    data.map(({ id, network, amount, asset, sender, memo, seenAt, txHash, booking, returning }) => {
      const foundBy = booking === null ? txHash : bookingText(booking);
      return [id, network, `${amount} ${assetCode(asset)}`, memo ?? '', sender ?? '', seenAt, foundBy, returning];
    }),
  );

/** Which small ones are meant. */
function crumbRail(sums: readonly CrumbSum[], network: string | undefined, asset: string | undefined): CrumbSum {
  if (network === undefined) throw new UsageError('Say on which network: --network.');
  const there = sums.filter((sum) => sum.network === network);
  const [first, ...others] = there.filter((sum) => asset === undefined || assetCode(sum.asset) === asset);
  if (!first) throw new CommandError(`No small payments of ${asset ?? 'any asset'} wait on ${network}.`);
  if (others.length > 0)
    throw new UsageError(`Say of which asset: --asset ${there.map((sum) => assetCode(sum.asset)).join(' or ')}.`);
  return first;
}

export const suspenseCommands: readonly Command[] = [
  command({
    name: 'suspense list',
    summary: 'List payments that named no checkout: the memo was forgotten or is wrong.',
    details:
      'At most 200, the oldest first; small ones, of which anybody can send any number, are only counted: `suspense small` lists them.',
    options: { after: { value: 'paymentId', meaning: 'Those that came after this one: the next page.' } },
    examples: ['suspense list', 'suspense list --after c81k2mz09qal'],
    async run({ withDatabase }, _, { after = null }) {
      const [payments, crumbs] = await withDatabase((db) =>
        Promise.all([listUnmatched(db, after), unmatchedCrumbs(db)]),
      );
      const data = payments.map(unmatchedData);
      const small = crumbs.map(
        ({ network, asset, count, units }) =>
          `Besides, ${count} small ones by ${network}: ${amountText(units, asset)} ${assetCode(asset)} in all.`,
      );
      return { data, text: [unmatchedTable(data), ...small].join('\n') };
    },
  }),
  command({
    name: 'suspense small',
    summary: 'List those that are too small to be read one by one.',
    details:
      'At most 200, the newest first: for who looks for one of them. They are assigned and sent back like all others.',
    options: {
      network: { value: 'network', meaning: 'On this network.' },
      asset: { value: 'code', meaning: 'In this asset, where there are several.' },
      find: { value: 'text', meaning: 'Only those of whose sender or memo this is a part.' },
      after: { value: 'paymentId', meaning: 'Those that came before this one: the next page.' },
    },
    examples: ['suspense small --network SEPA', "suspense small --network SEPA --find 'Ada Payer'"],
    async run({ withDatabase }, _, { network, asset, find = '', after = null }) {
      return withDatabase(async (db) => {
        const rail = crumbRail(await unmatchedCrumbs(db), network, asset);
        const data = (await listCrumbs(db, rail, { after, wanted: find })).map(unmatchedData);
        return { data, text: unmatchedTable(data) };
      });
    },
  }),
  command({
    name: 'suspense likely',
    summary: 'List checkouts for which such a payment may have been meant.',
    details:
      'Unpaid ones of the same amount, or of a customer with the name of who paid, at most five. It proves nothing: anybody can pay ' +
      'any amount under any name.',
    arguments: ['paymentId'],
    examples: ['suspense likely c81k2mz09qal'],
    async run({ withDatabase }, { paymentId }) {
      return withDatabase(async (db) => {
        const payment = await findUnmatched(db, paymentId);
        if (!payment) throw notFound('unmatched payment', paymentId);
        const { asset } = payment;
        const data = (await findLikelyCheckouts(db, payment)).map(
          ({ id, merchantId, merchantName, missingUnits, committedAt, hasAmount, hasName }) => {
            const missing = amountText(missingUnits, asset);
            return { checkoutId: id, merchantId, merchantName, missing, asset, committedAt, hasAmount, hasName };
          },
        );
        const rows = data.map(({ checkoutId, merchantName, missing, committedAt, hasAmount, hasName }) => [
          checkoutId,
          merchantName,
          `${missing} ${assetCode(asset)}`,
          committedAt,
          [hasAmount && 'amount', hasName && 'name'].filter(Boolean).join(' and '),
        ]);
        return { data, text: textTable(['CHECKOUT', 'MERCHANT', 'MISSING', 'CHOSEN', 'THE SAME'], rows) };
      });
    },
  }),
  command({
    name: 'suspense assign',
    summary: 'Give such a payment to the checkout or deposit it was meant for.',
    details: 'It counts from the moment when it arrived; the checkout or deposit is looked at again at once.',
    arguments: ['paymentId', 'checkoutId'],
    examples: ['suspense assign c81k2mz09qal 8fk2m1x0c3ab'],
    async run({ withDatabase }, { paymentId, checkoutId }) {
      const detail = { id: paymentId, checkoutId };
      const assigned = await withDatabase((db) => {
        const begin = inOperatorsLog({ db, clock }, 'unmatched.assigned', detail);
        return assignUnmatched({ db, clock }, paymentId, checkoutId, { actor: 'operator', begin });
      });
      const amount = `${amountText(assigned.units, assigned.asset)} ${assetCode(assigned.asset)}`;
      return {
        data: { paymentId, checkoutId, amount },
        text: `${amount} of payment ${paymentId} now belong to ${checkoutId}.`,
      };
    },
  }),
  command({
    name: 'suspense own',
    summary: 'Take such a payment as your own money: a top-up, a tax refund.',
    details:
      "It is the operator's equity from then on and can be withdrawn. Once two of the staff move money, one of them approves it " +
      'under /operator/suspense.',
    arguments: ['paymentId'],
    options: {
      reason: { value: 'text', meaning: 'Why it is yours, in at most 200 characters; kept in the audit log.' },
    },
    examples: ["suspense own c81k2mz09qal --reason 'top-up from our other account'"],
    async run({ withDatabase }, { paymentId }, { reason }) {
      if (reason === undefined) throw new UsageError('Say why it is yours: --reason.');
      const payment = await withDatabase((db) => adoptUnmatched({ db, clock }, paymentId, reason));
      const amount = `${amountText(payment.units, payment.asset)} ${assetCode(payment.asset)}`;
      const { isWaiting } = payment;
      return {
        data: { paymentId, amount, isWaiting },
        text: isWaiting
          ? `${amount} are the operator's own once one of the staff approves it under /operator/suspense.`
          : `${amount} of payment ${paymentId} are the operator's own now.`,
      };
    },
  }),
  command({
    name: 'suspense own-small',
    summary: 'Take small ones that nobody has asked for as your own money, together.',
    details:
      'All that wait of an asset on a network, at most 10,000, the oldest first. They are equity from then on, and are neither ' +
      'assigned nor sent back. Once two of the staff move money, one of them approves it under /operator/suspense.',
    options: {
      network: { value: 'network', meaning: 'On this network.' },
      asset: { value: 'code', meaning: 'In this asset, where there are several.' },
      reason: { value: 'text', meaning: 'Why they are yours, in at most 200 characters; kept in the audit log.' },
    },
    examples: ["suspense own-small --network SEPA --reason 'cents of strangers'"],
    async run({ withDatabase }, _, { network: wanted, asset: code, reason }) {
      if (reason === undefined) throw new UsageError('Say why they are yours: --reason.');
      const taken = await withDatabase(async (db) => {
        const { network, asset } = crumbRail(await unmatchedCrumbs(db), wanted, code);
        return adoptCrumbs({ db, clock }, { network, asset, upTo: null, reason, signed: null });
      });
      const { network, asset, count, isWaiting } = taken;
      const amount = `${amountText(taken.units, asset)} ${assetCode(asset)}`;
      const what = `${count} small payments by ${network}, ${amount} in all,`;
      return {
        data: { network, asset, count, amount, isWaiting },
        text: isWaiting
          ? `${what} are the operator's own once one of the staff approves it under /operator/suspense.`
          : `${what} are the operator's own now.`,
      };
    },
  }),
  command({
    name: 'suspense return',
    summary: 'Send such a payment back.',
    details:
      'The running service looks whether it can be sent. To an address, or to where it came from. If that is an exchange, ' +
      'give the memo of its customer: without it the money ends in suspense there. Other tokens that reached an address ' +
      'stay where they are: those ' +
      'are sent back by hand.',
    arguments: ['paymentId'],
    options: {
      address: { value: 'address', meaning: 'Where to send it.' },
      memo: { value: 'memo', meaning: 'Memo of the address, or of the sender.' },
      'memo-type': { value: 'text|id|hash|return', meaning: 'Kind of the memo (text).' },
      'to-sender': { meaning: 'Send it to where it came from.' },
      fee: { value: 'amount', meaning: "Keep this back for the network's fee (0: the operator bears it)." },
    },
    examples: [
      'suspense return c81k2mz09qal --address GBX…3F --memo 1042 --memo-type id',
      'suspense return c81k2mz09qal --to-sender --memo 1042 --fee 0.01',
    ],
    async run({ withDatabase }, { paymentId }, options) {
      const { address, memo, fee = '0' } = options;
      if ((address === undefined) === !options['to-sender'])
        throw new UsageError('Say where to: either --address or --to-sender.');
      const kept = parseDecimal(fee);
      if (!kept) throw new UsageError('--fee must be an amount.');
      const memoType = memo === undefined ? null : (options['memo-type'] ?? 'text');
      const destination = { address: address ?? null, memo: memo ?? null, memoType };
      return withDatabase(async (db) => {
        const payment = await findUnmatched(db, paymentId);
        if (!payment) throw notFound('unmatched payment', paymentId);
        const feeUnits = toUnits(kept, ledgerScale(payment.asset), 'up').toString();
        const order = { transferId: newId(), paymentId, ...destination, feeUnits };
        const look = { taken: findReturn, whyDeclined: whyReturnDeclined };
        const { id, units, state, address: to } = await askForOrder(db, 'return.request', order, look);
        const amount = `${amountText(units, payment.asset)} ${assetCode(payment.asset)}`;
        const isToApprove = state === 'AWAITING_APPROVAL';
        return {
          data: { paymentId, amount, address: to, transferId: isToApprove ? null : id },
          text: isToApprove
            ? `${amount} go to ${to} once one of the staff approves it under /operator/suspense.`
            : `${amount} are on their way to ${to}.`,
        };
      });
    },
  }),
];
