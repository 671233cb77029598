/**
 * Writes to somebody who moves the operator's money that money is about to leave, or leaves, or that what nobody asked for is
 * assigned: how much, where to, who asked for it and who let it go. Who moves none any more is told nothing. In English, as the pages of the operator.
 */
import { createHash } from 'node:crypto';
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { findNetwork } from '../catalog/network-catalog.ts';
import type { Actor } from '../http/actor.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import { findMerchant } from '../merchants/merchant-store.ts';
import { formatUnits } from '../money/amount.ts';
import type { Destination } from '../networks/port/sending.ts';
import { findPerson } from '../people/person-store.ts';
import { movesMoney } from '../people/staff-approvers.ts';
import { findStaffRole } from '../people/staff-store.ts';
import { findWithdrawal } from '../wallets/withdrawal-store.ts';
import { findReturn } from '../watching/unmatched-return-store.ts';
import { findUnmatched, targetOfCheckout } from '../watching/unmatched-store.ts';
import { html } from '../web/html.ts';
import { oneLine } from './one-line.ts';
import { AddressRefused } from './send-email.ts';
import type { PersonEmailDeps } from './send-person-email.ts';
import { whoDidIt } from './send-staff-news.ts';

type News = JobCatalog['staff.order'];
export type OrderNewsDeps = PersonEmailDeps & { readonly assets: AssetCatalog };

type ToldOrder = Destination & {
  readonly network: string;
  readonly asset: string;
  readonly units: bigint;
  readonly requestedBy: Actor;
};

const subjects: Readonly<Record<News['what'], string>> = {
  'withdrawal-asked': 'Quittance: money is asked for',
  'withdrawal-let-go': 'Quittance: money leaves',
  'return-asked': 'Quittance: money is asked for',
  'return-let-go': 'Quittance: money leaves',
  assigned: 'Quittance: money is assigned',
};

export async function sendOrderNews(deps: OrderNewsDeps, news: News): Promise<void> {
  const { db, log, accountUrl, sendEmail } = deps;
  const { personId, what } = news;
  const [person, role] = await Promise.all([findPerson(db, personId), findStaffRole(db, personId)]);
  if (sendEmail === null || !person || role === undefined || !movesMoney(role)) return;
  const sentence = await sentenceOf(deps, news);
  if (sentence === null) return;
  const warning = 'If this is not right, tell the others and whoever has access to the machine at once:';
  const isOwn = what === 'withdrawal-asked' || what === 'withdrawal-let-go';
  const place = `${accountUrl}/operator/${isOwn ? 'money' : 'suspense'}`;
  try {
    await sendEmail({
      // The same for every attempt: a mail program takes a repetition for what it is.
      id: `order.${createHash('sha256').update(JSON.stringify(news)).digest('hex').slice(0, 32)}`,
      to: person.email,
      language: 'en',
      subject: subjects[what],
      text: `${[sentence, '', warning, place].join('\n')}\n`,
      html: html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"></head>
<body><p>${sentence}</p><p>${warning} <a href="${place}">${place}</a></p></body></html>
`.toString(),
    });
  } catch (error) {
    if (!(error instanceof AddressRefused)) throw error;
    log.info({ personId }, 'the address of a person was refused');
  }
}

/** Null: there is no such order. */
async function sentenceOf(deps: OrderNewsDeps, { what, orderId, by }: News): Promise<string | null> {
  const { db } = deps;
  const actor = await whoDidIt(deps, by as Actor);
  if (what === 'assigned') {
    const payment = await findUnmatched(db, orderId);
    const target =
      payment?.assignedCheckoutId && (await targetOfCheckout(db, payment.network, payment.assignedCheckoutId));
    if (!payment || !target) return null;
    const name = oneLine((await findMerchant(db, target.merchantId))?.name ?? '');
    return `${actor} assigned ${amountOf(deps, payment)}, which nobody asked for, to the ${target.purpose} ${payment.assignedCheckoutId} of ${name} (${target.merchantId}).`;
  }
  const isReturn = what === 'return-asked' || what === 'return-let-go';
  const order = isReturn ? await orderOfReturn(deps, orderId) : await findWithdrawal(db, orderId);
  if (!order) return null;
  const { network, address, memo, requestedBy } = order;
  const amount = amountOf(deps, order);
  const memoWords = memo === null ? '' : `, memo ${oneLine(memo)}`;
  const goal = `on ${findNetwork(network)?.name ?? network} to ${oneLine(address)}${memoWords}`;
  const asker = await whoDidIt(deps, requestedBy);
  const approved =
    by === requestedBy ? `${actor} asked for it; one was enough.` : `${asker} asked for it, ${actor} approved it.`;
  const waits = 'It leaves once somebody else of the staff approves it.';
  const sentences: Readonly<Record<Exclude<News['what'], 'assigned'>, string>> = {
    'withdrawal-asked': `${asker} asks to withdraw ${amount} ${goal}. ${waits}`,
    'withdrawal-let-go': `${amount} leave ${goal}. ${approved}`,
    'return-asked': `${asker} asks to send back ${amount}, which nobody asked for, ${goal}. ${waits}`,
    'return-let-go': `${amount}, which nobody asked for, go back ${goal}. ${approved}`,
  };
  return sentences[what];
}

async function orderOfReturn({ db }: OrderNewsDeps, id: string): Promise<ToldOrder | undefined> {
  const order = await findReturn(db, id);
  const payment = order && (await findUnmatched(db, order.unmatchedId));
  return payment && { ...order, network: payment.network, asset: payment.asset };
}

function amountOf({ assets }: OrderNewsDeps, { asset: id, units }: Pick<ToldOrder, 'asset' | 'units'>): string {
  const asset = findAsset(assets, id);
  return `${formatUnits(units, asset?.ledgerScale ?? 0)} ${asset?.assetCode ?? id}`;
}
