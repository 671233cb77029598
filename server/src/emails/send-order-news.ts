/**
 * Writes to somebody who moves the operator's money that money is about to leave, or leaves, or that what nobody asked for is
 * assigned or the operator's own: how much, where to, who asked for it and who let it go. Who moves none any more is told nothing.
 */
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
import { findCrumbAdoption } from '../watching/crumb-adoption-store.ts';
import { findAdoption } from '../watching/unmatched-adoption-store.ts';
import { findReturn } from '../watching/unmatched-return-store.ts';
import { findUnmatched, targetOfCheckout } from '../watching/unmatched-store.ts';
import { plainCoinDigits } from '../web/number-text.ts';
import { oneLine } from './one-line.ts';
import type { PersonEmailDeps } from './send-person-email.ts';
import { whoDidIt } from './send-staff-news.ts';
import { warnStaff } from './warn-staff.ts';

type News = JobCatalog['staff.order'];
export type OrderNewsDeps = PersonEmailDeps & { readonly assets: AssetCatalog };

type ToldOrder = Destination & {
  readonly network: string;
  readonly asset: string;
  readonly units: bigint;
  readonly requestedBy: Actor;
};

type WithdrawalOrReturn = Extract<News['what'], `withdrawal-${string}` | `return-${string}`>;

const subjects: Readonly<Record<News['what'], string>> = {
  'withdrawal-asked': 'Quittance: money is asked for',
  'withdrawal-let-go': 'Quittance: money leaves',
  'return-asked': 'Quittance: money is asked for',
  'return-let-go': 'Quittance: money leaves',
  'own-asked': 'Quittance: money shall be our own',
  'own-taken': 'Quittance: money is our own',
  'small-own-asked': 'Quittance: money shall be our own',
  'small-own-taken': 'Quittance: money is our own',
  assigned: 'Quittance: money is assigned',
};

export async function sendOrderNews(deps: OrderNewsDeps, news: News): Promise<void> {
  const { db, accountUrl, sendEmail } = deps;
  const { personId, what } = news;
  const [person, role] = await Promise.all([findPerson(db, personId), findStaffRole(db, personId)]);
  if (sendEmail === null || !person || role === undefined || !movesMoney(role)) return;
  const sentence = await sentenceOf(deps, news);
  if (sentence === null) return;
  const isOwn = what === 'withdrawal-asked' || what === 'withdrawal-let-go';
  const place = `${accountUrl}/operator/${isOwn ? 'money' : 'suspense'}`;
  await warnStaff(deps, sendEmail, {
    news,
    topic: 'order',
    to: person.email,
    subject: subjects[what],
    sentence,
    place,
  });
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
  if (what === 'own-asked' || what === 'own-taken') return sentenceOfAdoption(deps, what, { id: orderId, actor, by });
  if (what === 'small-own-asked' || what === 'small-own-taken')
    return sentenceOfCrumbs(deps, what, { id: orderId, actor, by });
  const isReturn = what === 'return-asked' || what === 'return-let-go';
  const order = isReturn ? await orderOfReturn(deps, orderId) : await findWithdrawal(db, orderId);
  if (!order) return null;
  const { network, address, memo, requestedBy } = order;
  const amount = amountOf(deps, order);
  const memoWords = memo === null ? '' : `, memo ${oneLine(memo)}`;
  const holder = 'holder' in order && order.holder ? ` of ${oneLine(order.holder.name)}` : '';
  const goal = `on ${findNetwork(network)?.name ?? network} to ${oneLine(address)}${holder}${memoWords}`;
  const asker = await whoDidIt(deps, requestedBy);
  const approved =
    by === requestedBy ? `${actor} asked for it; one was enough.` : `${asker} asked for it, ${actor} approved it.`;
  const waits = 'It leaves once somebody else of the staff approves it.';
  const sentences: Readonly<Record<WithdrawalOrReturn, string>> = {
    'withdrawal-asked': `${asker} asks to withdraw ${amount} ${goal}. ${waits}`,
    'withdrawal-let-go': `${amount} leave ${goal}. ${approved}`,
    'return-asked': `${asker} asks to send back ${amount}, which nobody asked for, ${goal}. ${waits}`,
    'return-let-go': `${amount}, which nobody asked for, go back ${goal}. ${approved}`,
  };
  return sentences[what];
}

async function sentenceOfAdoption(
  deps: OrderNewsDeps,
  what: 'own-asked' | 'own-taken',
  { id, actor, by }: { readonly id: string; readonly actor: string; readonly by: string },
): Promise<string | null> {
  const adoption = await findAdoption(deps.db, id);
  const payment = adoption && (await findUnmatched(deps.db, adoption.unmatchedId));
  if (!payment) return null;
  const amount = `${amountOf(deps, payment)}, which nobody asked for`;
  return ownSentence(deps, what === 'own-asked', amount, { ...adoption, actor, by });
}

async function sentenceOfCrumbs(
  deps: OrderNewsDeps,
  what: 'small-own-asked' | 'small-own-taken',
  { id, actor, by }: { readonly id: string; readonly actor: string; readonly by: string },
): Promise<string | null> {
  const adoption = await findCrumbAdoption(deps.db, id);
  if (!adoption) return null;
  const isAsked = what === 'small-own-asked';
  const { asset, network } = adoption;
  const { count, units } = (isAsked ? null : adoption.taken) ?? adoption;
  const amount = `${count} small payments by ${findNetwork(network)?.name ?? network}, ${amountOf(deps, { asset, units })} in all, which nobody asked for`;
  return ownSentence(deps, isAsked, amount, { ...adoption, actor, by });
}

type OwnOrder = { readonly reason: string; readonly requestedBy: Actor; readonly actor: string; readonly by: string };

async function ownSentence(deps: OrderNewsDeps, isAsked: boolean, what: string, order: OwnOrder): Promise<string> {
  const { reason, requestedBy, actor, by } = order;
  const asker = await whoDidIt(deps, requestedBy);
  const why = `Why: ${oneLine(reason)}`;
  if (isAsked)
    return `${asker} asks to take ${what}, as the operator's own. It is once somebody else of the staff approves it. ${why}`;
  const decided = by === requestedBy ? `${actor} said so; one was enough.` : `${asker} said so, ${actor} approved it.`;
  return `${what}, are the operator's own now. ${decided} ${why}`;
}

async function orderOfReturn({ db }: OrderNewsDeps, id: string): Promise<ToldOrder | undefined> {
  const order = await findReturn(db, id);
  const payment = order && (await findUnmatched(db, order.unmatchedId));
  return payment && { ...order, network: payment.network, asset: payment.asset };
}

function amountOf({ assets }: OrderNewsDeps, { asset: id, units }: Pick<ToldOrder, 'asset' | 'units'>): string {
  const asset = findAsset(assets, id);
  const code = asset?.assetCode ?? id;
  return `${plainCoinDigits(formatUnits(units, asset?.ledgerScale ?? 0), code)} ${code}`;
}
